#!/usr/bin/env python3
"""Options from files and the environment, and what shells complete: settings_test.py HONE"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HONE = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""
PLAN = ("tune", "--op", "matmul:m=8,n=8,k=8", "--dry-run", "--json")


class SettingsTest(unittest.TestCase):
    def setUp(self):
        self.keeper = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.keeper.name)
        self.user_file = self.folder / "home/.config/hone/config.toml"
        self.user_file.parent.mkdir(parents=True)

    def tearDown(self):
        self.keeper.cleanup()

    def hone(self, *arguments, **variables):
        environment = {**os.environ, "HOME": str(self.folder / "home"), **variables}
        for variable in ("HONE_JOBS", "HONE_SCORER", "HONE_TARGET"):
            if variable not in variables:
                environment.pop(variable, None)
        result = subprocess.run([HONE, *arguments], cwd=self.folder, env=environment, capture_output=True, text=True,
                                timeout=60)
        return result.returncode, result.stdout, result.stderr

    def write(self, project="", user=""):
        (self.folder / "hone.toml").write_text(project)
        self.user_file.write_text(user)

    def show(self, *options, **variables):
        """What is set, without the line on the scorer that may come with hone."""
        _, out, _ = self.hone("config", "show", *options, **variables)
        return "".join(line for line in out.splitlines(True) if not line.startswith("# tune: scorer"))

    def trials(self, *options):
        code, out, err = self.hone(*PLAN, *options)
        self.assertEqual(code, 0, err)
        return json.loads(out)["trials"]

    def test_flag_before_project_before_user_before_default(self):
        self.assertEqual(self.trials(), 200)
        self.write(user="[tune]\ntrials = 30\n")
        self.assertEqual(self.trials(), 30)
        self.write(project="[tune]\ntrials = 20\n", user="[tune]\ntrials = 30\n")
        self.assertEqual(self.trials(), 20)
        self.assertEqual(self.trials("--trials", "10"), 10)

    def test_the_environment_stands_between_flags_and_files(self):
        self.write(project='[inspect]\ntarget = "avx2"\n')
        inspect = ("inspect", "--op", "matmul:m=4,n=4,k=4", "--json")
        names = [json.loads(self.hone(*inspect, *options, **variables)[1])["target"]
                 for options, variables in [((), {}), ((), {"HONE_TARGET": "neon"}),
                                            (("--target", "avx512"), {"HONE_TARGET": "neon"})]]
        self.assertEqual(len(set(names)), 3, names)
        self.assertEqual(self.show("--origin", HONE_TARGET="neon"), '[inspect]\ntarget = "neon"  # HONE_TARGET\n')

    def test_show_prints_what_can_be_read_again(self):
        self.write(project='[tune]\nno-store = true\nbudget = "2m"\n[compile]\nthreads = 1\n',
                   user='[tune]\nbudget = "9m"\nshape = ["x=1x3", "y=2"]\n')
        shown = self.show()
        self.assertEqual(shown, '[compile]\nthreads = 1\n\n[tune]\nbudget = "2m"\nshape = ["x=1x3","y=2"]\n'
                                'no-store = true\n')
        self.write(project=shown)
        self.assertEqual(self.show(), shown)
        _, out, _ = self.hone("config", "show", "--json")
        settings = json.loads(out)["settings"]
        self.assertIn({"section": "compile", "key": "threads", "value": 1, "origin": "hone.toml:2"}, settings)

    def test_without_files_everything_is_default(self):
        self.assertRegex(self.show(), r"^# every option has its default: neither hone\.toml nor .*config\.toml sets one\n$")

    def test_mistakes_name_file_and_line(self):
        for text, error, hint in [
                ('[tune]\nseed = 1\nbudgte = "1m"\n', "hone.toml:3: [tune] has no key `budgte`", "'budget'"),
                ("[tunes]\nseed = 1\n", "hone.toml:2: there is no section `tunes`", "'tune'"),
                ("seed = 1\n", "hone.toml:1: `seed` stands in no section", "[tune]"),
                ("[tune]\nbudget = 2m\n", "hone.toml:2: ", ""),
                ('[tune]\nbudget = "2x"\n', "hone.toml:2: --budget: `2x` is no span of time", ""),
                ("[tune]\nseed = 1979-05-27\n", "hone.toml:2: a setting is a text, a number", "")]:
            self.write(project=text)
            code, _, err = self.hone(*PLAN)
            self.assertEqual(code, 2, text)
            self.assertIn("error: " + error, err)
            self.assertIn(hint, err)

    def test_bash_completes_commands_options_and_values(self):
        (self.folder / "hone.bash").write_text(self.hone("completions", "bash")[1])

        def complete(*words):
            script = 'source hone.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hone; echo "${COMPREPLY[*]}"'
            run = subprocess.run(["bash", "-c", script, "bash", *words], cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(run.stderr, "")
            return run.stdout.split()

        self.assertEqual(complete("hone", "tu"), ["tune"])
        self.assertEqual(complete("hone", "tune", "model.onnx", "--tri"), ["--trials"])
        self.assertEqual(complete("hone", "tune", "--scorer", ""), ["gbdt", "analytic", "random", "none"])
        self.assertEqual(complete("hone", "target", "show", "--js"), ["--json"])
        self.assertEqual(complete("hone", "completions", "f"), ["fish"])
        self.assertEqual(complete("hone", "tune", "--output", ""), [], "the shell completes files")

    def test_every_command_is_completed_in_every_shell(self):
        commands = ["inspect", "bench", "compile", "run", "tune", "train", "target", "doctor", "config", "completions"]
        for shell in ("bash", "zsh", "fish"):
            _, script, _ = self.hone("completions", shell)
            for command in commands:
                self.assertIn(command, script)
        code, _, err = self.hone("completions", "basch")
        self.assertEqual(code, 2)
        self.assertIn("did you mean 'bash'?", err)


if __name__ == "__main__":
    unittest.main()
