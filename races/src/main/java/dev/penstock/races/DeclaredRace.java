package dev.penstock.races;

import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Race;
import java.util.List;
import java.util.function.Supplier;

/** A race as data. Its courses are created when they are asked for, since every JVM of a contestant loads all races. */
public abstract class DeclaredRace implements Race {
    private final String name;
    private final String question;
    private final Supplier<List<Course>> courses;

    protected DeclaredRace(String name, String question, Supplier<List<Course>> courses) {
        this.name = name;
        this.question = question;
        this.courses = courses;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final String question() {
        return question;
    }

    @Override
    public final List<Course> courses() {
        return courses.get();
    }
}
