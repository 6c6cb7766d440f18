package dev.penstock.cli.probe;

import dev.penstock.lab.probe.ProbeFindings;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Whose settings the findings can be printed as. */
@SuppressWarnings("ImmutableEnumChecker") // method references hold nothing
public enum SettingsLibrary {
    /** The pool that most have. */
    HIKARI("--for-hikari", "HikariCP (hikari.properties)", "jdbc", HikariLines::of),
    /** The pool of many older applications. */
    C3P0("--for-c3p0", "c3p0 (c3p0.properties)", "jdbc", C3p0Lines::of),
    /** Apache's client. */
    HTTPCLIENT("--for-httpclient", "Apache HttpClient 5 (Java)", "https?", HttpClientLines::of),
    /** Spring's use of queues. */
    SPRING_JMS("--for-spring-jms", "spring-jms (application.properties)", "jms", SpringJmsLines::of),
    /** The system's own. */
    SYSCTL("--for-sysctl", "Linux (a file in /etc/sysctl.d)", "https?|jdbc|jms|tcp", SysctlLines::of);

    private final String option;
    private final String title;
    private final Pattern targets;
    private final Function<ProbeFindings, List<String>> lines;

    SettingsLibrary(String option, String title, String targets, Function<ProbeFindings, List<String>> lines) {
        this.option = option;
        this.title = title;
        this.targets = Pattern.compile("(?i)(" + targets + "):.*");
        this.lines = lines;
    }

    /** The option of the command that asks for it. */
    public String option() {
        return option;
    }

    /** What it is, for people. */
    public String title() {
        return title;
    }

    /**
     * Whether it can be had for such a target.
     *
     * @throws IllegalArgumentException when not, in one line that says what to do
     */
    public void check(String target) {
        if (!targets.matcher(target).matches()) {
            String kinds = targets.pattern()
                    .replaceAll(".*\\)\\(|\\):.*", "")
                    .replace("s?", "(s)")
                    .replace("|", ", ");
            throw new IllegalArgumentException(
                    option + " is for a target of " + kinds + ": leave it out, or probe such a one");
        }
    }

    /** The findings as its settings, a comment with each. */
    public List<String> lines(ProbeFindings findings) {
        return lines.apply(findings);
    }
}
