package dev.penstock.races;

import dev.penstock.lab.race.Entry;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.races.machine.PeerJars;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The contestants of a race, declared as data: name, role, settings, and how each is created. A library is loaded only
 * when its contestant is created.
 *
 * @param <F> creates a contestant
 */
public final class ContestantList<F> {
    private record Declared<F>(Entry entry, F factory, Supplier<Optional<String>> whyNot) {}

    private final String race;
    private final boolean ownJvm;
    private final SequencedMap<String, Declared<F>> declared = new LinkedHashMap<>();

    private ContestantList(String race, boolean ownJvm) {
        this.race = race;
        this.ownJvm = ownJvm;
    }

    /** Contestants with a fresh JVM for each block. */
    public static <F> ContestantList<F> of(String race) {
        return new ContestantList<>(race, true);
    }

    /** Contestants that run in the runner's JVM, or in processes of their own. */
    public static <F> ContestantList<F> inside(String race) {
        return new ContestantList<>(race, false);
    }

    /** Declares a contestant whose only setting is a description. */
    public ContestantList<F> add(String name, Role role, String how, F factory) {
        return add(name, role, Map.of("how", how), factory);
    }

    /** Declares a contestant that can run on any machine. */
    public ContestantList<F> add(String name, Role role, Map<String, String> settings, F factory) {
        return add(name, role, settings, factory, Optional::empty);
    }

    /**
     * Declares a contestant that cannot run everywhere.
     *
     * @param name unique in the race
     * @param role its role
     * @param settings for the report
     * @param factory creates it
     * @param whyNot the reason why it cannot run on this machine, in a few words; empty if it can
     */
    public ContestantList<F> add(
            String name, Role role, Map<String, String> settings, F factory, Supplier<Optional<String>> whyNot) {
        Entry entry = ownJvm ? Entry.of(name, role, settings) : Entry.inside(name, role, settings);
        declared.put(name, new Declared<>(entry, factory, whyNot));
        return this;
    }

    /** Starts the contestant that was added last with these classes before all others, in their own versions. */
    public ContestantList<F> with(PeerJars jars) {
        Declared<F> last = declared.lastEntry().getValue();
        Entry entry = last.entry();
        Entry replaced = new Entry(entry.name(), entry.role(), entry.settings(), true, jars.first());
        declared.put(entry.name(), new Declared<>(replaced, last.factory(), jars::whyNot));
        return this;
    }

    private Declared<F> declared(String name) {
        Declared<F> found = declared.get(name);
        if (found == null) {
            throw new IllegalArgumentException("the race " + race + " has no contestant " + name + ": use one of "
                    + String.join(", ", declared.keySet()));
        }
        return found;
    }

    /**
     * How a contestant is created.
     *
     * @throws IllegalArgumentException when there is none with this name
     */
    public F named(String name) {
        return declared(name).factory;
    }

    /** The entry of a contestant in its courses. */
    public Entry entry(String name) {
        return declared(name).entry;
    }

    /** All names, in order. */
    public List<String> names() {
        return List.copyOf(declared.keySet());
    }

    /** All contestants that can run on this machine. */
    public List<Entry> entries() {
        return only(names());
    }

    /** All but these that can run on this machine. */
    public List<Entry> without(String... names) {
        List<String> others = new ArrayList<>(names());
        Stream.of(names).map(this::entry).map(Entry::name).forEach(others::remove);
        return only(others);
    }

    /** Those of these that can run on this machine. */
    public List<Entry> only(List<String> names) {
        return names.stream()
                .map(this::declared)
                .filter(contestant -> contestant.whyNot.get().isEmpty())
                .map(Declared::entry)
                .toList();
    }

    /** Those of these that cannot run on this machine and why, as the end of a sentence; empty if all can. */
    public String skipped(List<String> names) {
        Map<String, List<String>> byReason = new TreeMap<>();
        for (String name : names) {
            declared(name)
                    .whyNot
                    .get()
                    .ifPresent(why -> byReason.computeIfAbsent(why, _ -> new ArrayList<>())
                            .add(name));
        }
        return byReason.entrySet().stream()
                .map(reason -> "; SKIPPED " + String.join(", ", reason.getValue()) + ": " + reason.getKey())
                .collect(Collectors.joining());
    }
}
