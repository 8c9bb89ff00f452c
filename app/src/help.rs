//! The list of commands as `jigo --help` shows it: grouped by what they are for.

use clap::Command;

/// Every command stands in one group.
const GROUPS: &[(&str, &[&str])] = &[
    ("Play and study", &["web", "play", "review"]),
    ("For other programs", &["gtp", "analysis", "worker", "cluster"]),
    ("Settings and help", &["config", "check", "completions", "man"]),
    ("Measuring", &["bench", "match", "tune", "lab", "evaluate", "suite"]),
    ("Making", &["train", "net", "patterns", "joseki"]),
];

/// The same command line with its commands in groups.
pub fn grouped(command: Command) -> Command {
    let template = format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{}\nOptions:\n{{options}}{{after-help}}\n",
        groups(&command)
    );
    command.help_template(template)
}

fn groups(command: &Command) -> String {
    let row = |name: &&str| {
        let about = command.find_subcommand(name)?.get_about()?;
        Some(format!("  {name:<13}{about}\n"))
    };
    let group =
        |(title, names): &(&str, &[&str])| format!("{title}:\n{}\n", names.iter().filter_map(row).collect::<String>());
    GROUPS.iter().map(group).collect::<String>().trim_end().to_string() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cli;
    use clap::CommandFactory;

    #[test]
    fn every_command_that_is_shown_stands_in_one_group() {
        let command = Cli::command();
        let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
        for name in shown.map(Command::get_name) {
            let groups = GROUPS.iter().filter(|(_, names)| names.contains(&name));
            assert_eq!(groups.count(), 1, "{name}");
        }
        let help = grouped(command).render_help().to_string();
        assert!(help.contains("Play and study:\n  web          Play and study in the browser"), "{help}");
    }

    #[test]
    fn everything_on_the_command_line_says_what_it_is() {
        let mut commands = vec![("jigo".to_string(), Cli::command())];
        let mut silent = Vec::new();
        while let Some((name, command)) = commands.pop() {
            if command.get_about().is_none() && !command.is_hide_set() {
                silent.push(name.clone());
            }
            let arguments = command.get_arguments().filter(|it| it.get_help().is_none() && !it.is_hide_set());
            silent.extend(arguments.map(|argument| format!("{name}: {}", argument.get_id())));
            let parts = command.get_subcommands();
            commands.extend(parts.map(|part| (format!("{name} {}", part.get_name()), part.clone())));
        }
        assert_eq!(silent, [""; 0]);
    }
}
