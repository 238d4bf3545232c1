# shown.sh - for scripts that speak of files: shown NAME prints it as a terminal may see it.  Control characters, and those
# that turn the direction of writing, are ?.
# shellcheck shell=sh
shown() {
    printf '%s' "$1" | LC_ALL=C tr '\000-\037\177' '?' |
        LC_ALL=C sed 's/\xc2[\x80-\x9f]\|\xe2\x80[\x8e\x8f\xa8-\xae]\|\xe2\x81[\xa6-\xa9]\|\xd8\x9c/?/g'
}
