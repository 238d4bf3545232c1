# shown.sh - for scripts that print file names: `shown NAME` makes a name safe for a terminal.  It replaces control characters, and
# characters that change the direction of writing, by ?.
# shellcheck shell=sh
shown() {
    printf '%s' "$1" | LC_ALL=C tr '\000-\037\177' '?' |
        LC_ALL=C sed 's/\xc2[\x80-\x9f]\|\xe2\x80[\x8e\x8f\xa8-\xae]\|\xe2\x81[\xa6-\xa9]\|\xd8\x9c/?/g'
}
