package dev.penstock.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Race;
import dev.penstock.lab.report.Metric;
import java.util.ServiceLoader;

/** What every race declares. */
public final class DeclaredCourses {
    private DeclaredCourses() {}

    /** A course of a race. */
    public static Course course(Race race, String name) {
        return race.courses().stream()
                .filter(course -> course.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** The race is found by its name, has these courses, and what it judges has a better direction and is shown once. */
    public static void assertDeclared(Race race, String name, String... courses) {
        assertThat(ServiceLoader.load(Race.class))
                .filteredOn(found -> found.name().equals(name))
                .hasSize(1);
        assertThat(race.courses()).extracting(Course::name).containsExactly(courses);
        assertThat(race.courses()).allSatisfy(course -> {
            assertThat(course.judged()).noneMatch(key -> Metric.of(key).better() == Metric.Better.NEITHER);
            assertThat(course.shown()).containsAll(course.judged()).doesNotHaveDuplicates();
        });
    }
}
