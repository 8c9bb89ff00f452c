#!/bin/sh
# Makes the pictures of the board that the documentation shows: needs chromium and chromedriver.
set -e
cd "$(dirname "$0")/.."
JIGO_SCREENSHOTS="$PWD/docs/screenshots" cargo test -p jigo --test browser screenshots
