"""KaTrain without its window. Import this before anything of KaTrain's."""

import os
import re
import tempfile

# KaTrain is a window program; nothing of it may look for a screen, or read our command line.
os.environ.update(KIVY_NO_ARGS="1", KIVY_NO_CONSOLELOG="1", KIVY_NO_FILELOG="1", KIVY_HOME=tempfile.mkdtemp())


class Headless:
    """As much of KaTrain's window as its engine, its game and its opponents ask for."""

    def __init__(self):
        self.complaints = []

    def log(self, message, level=0):
        # Answers are logged too, and have fields such as rawStWrError, which are no complaints.
        if level == -1 or re.search(r"Error\b(?!')", str(message)):  # OUTPUT_ERROR
            self.complaints.append(str(message))

    def config(self, setting, default=None):
        return {"game/size": "19", "game/komi": 6.5, "game/rules": "japanese", "game/handicap": 0}.get(setting, default)

    def __call__(self, *arguments):
        self.complaints.append(str(arguments))
