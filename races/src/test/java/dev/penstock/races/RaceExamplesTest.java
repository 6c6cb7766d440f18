package dev.penstock.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.race.Race;
import dev.penstock.lab.race.Races;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The {@code ./penstock race} commands in the docs name existing races, courses and contestants. {@code
 * DocsExamplesTest} of {@code cli} checks their options.
 */
class RaceExamplesTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern CALL = Pattern.compile("^\\s*\\./penstock race( [^#>|&;]*)?");

    @Test
    void racesInTheDocsExist() throws Exception {
        List<String> problems = new ArrayList<>();
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            List<Path> pages = Stream.concat(Stream.of(ROOT.resolve("README.md")), docs)
                    .filter(page -> page.toString().endsWith(".md"))
                    .toList();
            for (Path page : pages) {
                problems.addAll(problems(ROOT.relativize(page).toString(), Files.readAllLines(page)));
            }
        }
        assertThat(problems).isEmpty();
    }

    @Test
    void reportsUnknownNamesWithTheirLines() {
        List<String> page = List.of(
                "./penstock race http-pool --quick --course closings --contestant penstock   # right",
                "./penstock race http-pol",
                "./penstock race http-pool --course closngs");
        assertThat(problems("page.md", page))
                .containsExactly("page.md:2: no race http-pol", "page.md:3: no course closngs");
    }

    private static List<String> problems(String page, List<String> lines) {
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            Matcher call = CALL.matcher(lines.get(i));
            if (call.find() && call.group(1) != null && !call.group(1).isBlank()) {
                String place = page + ":" + (i + 1) + ": ";
                problems(call.group(1).strip().split("\\s+")).forEach(problem -> problems.add(place + problem));
            }
        }
        return problems;
    }

    private static List<String> problems(String[] words) {
        List<Race> races = Races.all();
        List<Course> courses =
                races.stream().flatMap(race -> race.courses().stream()).toList();
        List<String> problems = new ArrayList<>();
        String option = "";
        for (String word : words) {
            boolean exists = switch (option) {
                case "--course" -> courses.stream().map(Course::name).anyMatch(word::equals);
                case "--contestant" ->
                    courses.stream()
                            .flatMap(course -> course.entries().stream())
                            .map(Entry::name)
                            .anyMatch(word::equals);
                case "" ->
                    word.startsWith("--") || races.stream().map(Race::name).anyMatch(word::equals);
                default -> true;
            };
            if (!exists) {
                problems.add("no " + (option.isEmpty() ? "race" : option.substring(2)) + " " + word);
            }
            boolean takesValue = word.startsWith("--")
                    && !List.of("--list", "--quick", "--quiet").contains(word);
            option = takesValue && !word.contains("=") ? word : "";
        }
        return problems;
    }
}
