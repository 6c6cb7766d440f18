package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links between the pages lead to a page and a heading that exist, and docs/internals.md names types that exist. */
class DocsLinksTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern LINK = Pattern.compile("]\\((?!https?:)([^)#\\s]*)(?:#([^)\\s]+))?\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.+)$");
    private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```$");
    private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```$|`[^`\\n]+`");
    private static final Pattern TYPE = Pattern.compile("(?<![\\w/.-])[A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+");

    private static final Pattern PART = Pattern.compile("current\\(\\)\\s*\\.part\\(\\s*\"([a-z0-9-]+)\"");

    private static final Pattern THREAD = Pattern.compile("\\.name\\(\\s*\"(penstock-[a-z0-9-]*[a-z0-9])");

    /** Written as code, but no types of the repository. */
    private static final Set<String> OTHERS = Set.of("HikariCP", "ServiceLoader", "XxxFilter");

    private static List<Path> pages() throws IOException {
        try (Stream<Path> top = Files.list(ROOT)) {
            return Stream.concat(top.filter(page -> page.toString().endsWith(".md")), DocExample.pages(ROOT).stream())
                    .distinct()
                    .sorted()
                    .toList();
        }
    }

    @Test
    void linksLeadSomewhere() throws Exception {
        List<String> problems = new ArrayList<>();
        for (Path page : pages()) {
            LINK.matcher(FENCED.matcher(Files.readString(page)).replaceAll(""))
                    .results()
                    .filter(link -> !leadsSomewhere(page, link))
                    .forEach(link -> problems.add(ROOT.relativize(page) + ": " + link.group()));
        }
        assertThat(problems).isEmpty();
    }

    private static boolean leadsSomewhere(Path page, MatchResult link) {
        Path to = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
        return Files.exists(to) && (link.group(2) == null || anchors(to).contains(link.group(2)));
    }

    /** The anchors of a page's headings, as GitHub makes them. */
    private static Set<String> anchors(Path page) {
        try {
            return HEADING.matcher(FENCED.matcher(Files.readString(page)).replaceAll(""))
                    .results()
                    .map(heading -> heading.group(1)
                            .toLowerCase(Locale.ROOT)
                            .replaceAll("[^\\w\\- ]", "")
                            .replace(' ', '-'))
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new AssertionError(page.toString(), e);
        }
    }

    /** An alert on {@code penstock_faults_total} names one. */
    @Test
    void operateNamesEveryPartThatCanFail() throws Exception {
        Set<String> parts = named(PART);
        assertThat(Files.readString(ROOT.resolve("docs/operate.md")))
                .contains(parts.stream().map(part -> "`" + part + "`").toList());
        assertThat(parts).hasSizeGreaterThan(20);
    }

    /** A thread dump shows it; {@code -close} is short for another name with this end. */
    @Test
    void internalsNamesEveryThread() throws Exception {
        Set<String> threads = named(THREAD);
        String internals = Files.readString(ROOT.resolve("docs/internals.md"));
        assertThat(threads.stream()
                        .filter(thread -> !internals.contains("`" + thread)
                                && !internals.contains("`" + thread.substring(thread.lastIndexOf('-')) + "`")))
                .isEmpty();
        assertThat(threads).hasSizeGreaterThan(40);
    }

    /** What the main code of shipped modules but {@code cli} and {@code lab} calls so. */
    private static Set<String> named(Pattern pattern) throws IOException {
        Set<String> names = new TreeSet<>();
        try (Stream<Path> files = Files.find(
                ROOT,
                20,
                (file, is) -> file.toString().matches("\\.\\./(?!races|cli|lab)[a-z-]+/src/main/.*\\.java"))) {
            for (Path file : files.toList()) {
                pattern.matcher(Files.readString(file)).results().forEach(found -> names.add(found.group(1)));
            }
        }
        return names;
    }

    @Test
    void internalsNamesTypesThatExist() throws Exception {
        Set<String> named = new TreeSet<>();
        CODE.matcher(Files.readString(ROOT.resolve("docs/internals.md")))
                .results()
                .forEach(code -> TYPE.matcher(code.group()).results().forEach(type -> named.add(type.group())));
        named.removeAll(OTHERS);
        assertThat(named).hasSizeGreaterThan(100);
        try (Stream<Path> files = Files.find(
                ROOT, 20, (file, is) -> is.isRegularFile() && file.toString().endsWith(".java"))) {
            Set<String> types = files.map(file -> file.getFileName().toString().replace(".java", ""))
                    .collect(Collectors.toSet());
            named.removeAll(types);
        }
        assertThat(named).as("names of docs/internals.md without a file").isEmpty();
    }
}
