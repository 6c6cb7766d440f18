package dev.penstock.cli.probe;

import dev.penstock.lab.probe.ProbeFindings;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The libraries for which the findings can be printed as settings. */
@SuppressWarnings("ImmutableEnumChecker") // method references hold nothing
public enum SettingsLibrary {
    /** HikariCP. */
    HIKARI("--for-hikari", "HikariCP (hikari.properties)", "jdbc", HikariLines::of),
    /** c3p0. */
    C3P0("--for-c3p0", "c3p0 (c3p0.properties)", "jdbc", C3p0Lines::of),
    /** Apache HttpClient 5. */
    HTTPCLIENT("--for-httpclient", "Apache HttpClient 5 (Java)", "https?", HttpClientLines::of),
    /** spring-jms. */
    SPRING_JMS("--for-spring-jms", "spring-jms (application.properties)", "jms", SpringJmsLines::of),
    /** Linux kernel settings. */
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

    /** The command line option. */
    public String option() {
        return option;
    }

    /** The title in output. */
    public String title() {
        return title;
    }

    /**
     * Checks that the library applies to a target.
     *
     * @throws IllegalArgumentException it does not, with a one-line remedy
     */
    public void check(String target) {
        if (!targets.matcher(target).matches()) {
            String kinds = targets.pattern()
                    .replaceAll(".*\\)\\(|\\):.*", "")
                    .replace("s?", "(s)")
                    .replace("|", ", ");
            throw new IllegalArgumentException(
                    option + " is for targets of kind " + kinds + ": remove it, or probe such a target");
        }
    }

    /** The findings as settings of the library, with comments. */
    public List<String> lines(ProbeFindings findings) {
        return lines.apply(findings);
    }
}
