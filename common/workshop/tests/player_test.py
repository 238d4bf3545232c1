#!/usr/bin/env python3
"""player_test.py FOLDER RACE: tests the players of FOLDER and that of a race in a browser (Chromium, by Selenium).

Every page must open without console messages and end at the counts of the table.  One page is used with keys and
buttons, also at the width of a phone; the page of a race must lead to both accesses.
"""
import pathlib
import sys

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

PHONE = 390
bad = []


def check(condition, said):
    if not condition:
        bad.append(said)


def browser():
    options = Options()
    for word in ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1200,1000"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))


def opened(driver, page):
    driver.get(page.resolve().as_uri())
    for entry in driver.get_log("browser"):
        check(False, f"{page.name}: {entry['message']}")
    return driver.find_element(By.TAG_NAME, "body")


def counts_are_equal(driver, page):
    """Goes to the end and compares the page's own counts with those of the table."""
    opened(driver, page).send_keys(Keys.END)
    rows = driver.execute_script("return [...document.querySelectorAll('tr[data-count]')].map("
                                 "r => [r.dataset.count, +r.dataset.now, +r.dataset.end])")
    check(len(rows) >= 4, f"{page.name}: {len(rows)} counts")
    for name, now, end in rows:
        check(abs(now - end) <= 1e-9 * abs(end), f"{page.name}: {name} ends at {now}, the table says {end}")


def works(driver, page):
    """Uses keys, buttons and the language switch; the page must fit a phone."""
    body = opened(driver, page)

    def at():
        return driver.execute_script("return [view.t, view.warp[0], view.playing, document.documentElement.lang]")
    body.send_keys(Keys.ARROW_RIGHT * 3)
    body.send_keys(Keys.ARROW_LEFT)
    body.send_keys(Keys.ARROW_DOWN)
    check(at() == [2, 1, False, "en"], f"{page.name}: after six keys {at()}")
    check("block 0, warp 1" in driver.find_element(By.CLASS_NAME, "said").text, f"{page.name}: the warp is not named")
    check(driver.find_elements(By.CSS_SELECTOR, ".line.here"), f"{page.name}: no line is at work")
    body.send_keys(Keys.SPACE)
    check(at()[2], f"{page.name}: space does not play")
    body.send_keys(Keys.SPACE)
    body.send_keys(Keys.HOME)
    check(at()[0] == 0, f"{page.name}: Home does not lead to the start")
    driver.find_element(By.CSS_SELECTOR, "button.language").click()
    said = driver.find_element(By.CLASS_NAME, "said").text
    check(at()[3] == "zh" and "线程块" in said, f"{page.name}: no Chinese")
    driver.set_window_size(PHONE, 800)
    width = driver.execute_script("return document.documentElement.scrollWidth - innerWidth")
    check(width <= 0, f"{page.name}: {width} pixels wider than a phone")
    driver.set_window_size(1200, 1000)


def costs_are_seen(driver, page):
    """Two steps side by side: bars proportional to the requests, or of equal length; and the points to notice."""
    opened(driver, page)
    lengths = "return [view.weighted, ...runs.map(run => run.length)]"
    weighted, first, second = driver.execute_script(lengths)
    check(weighted and first > 1.2 * second, f"{page.name}: weighted, v2 takes {first} and v3 {second}")
    look = driver.find_element(By.ID, "look").text
    check("banks collide" in look and "wavefronts" in look, f"{page.name}: what to look for is {look!r}")
    driver.find_element(By.CSS_SELECTOR, "button.weigh").click()
    weighted, first, second = driver.execute_script(lengths)
    check(not weighted and first == second, f"{page.name}: not weighted, v2 takes {first} and v3 {second}")


def race_is_shown(driver, page):
    opened(driver, page)
    lines = []
    for button in driver.find_elements(By.CSS_SELECTOR, ".fault button"):
        button.click()
        here = driver.find_elements(By.CSS_SELECTOR, ".line.here code")
        lines.append(here[0].text if here else "nothing")
        check(driver.find_elements(By.CSS_SELECTOR, "rect.used"), f"{page.name}: nothing is touched")
    check(len(lines) == 2 and all("partial[tid] +=" in line for line in lines), f"{page.name}: leads to {lines}")


def main():
    folder, race = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    driver = browser()
    try:
        pages = sorted(page for page in folder.glob("0*_v*.html") if page.stem.count("_v") == 1)  # pages of one step
        for page in pages:
            counts_are_equal(driver, page)
        if pages:
            works(driver, pages[0])
        if folder / "01_v3.html" in pages:
            costs_are_seen(driver, folder / "01_v3.html")
        race_is_shown(driver, race)
    finally:
        driver.quit()
    for said in bad[:10]:
        print(said)
    if len(bad) > 10:
        print(f"... and {len(bad) - 10} more")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
