package dev.penstock.retry;

import dev.penstock.Durations;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.StatusProbe;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How to settle what is in doubt: whom to ask what became of a transaction that ended as unknown, when, and how often.
 * Immutable; each method gives a changed copy.
 *
 * <p>Defaults: the first question 1 s after the attempt has ended, and at most 3 questions, 1 s apart. Each wait is made
 * longer by a random part of up to a half, so that transactions that were lost together do not ask together.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
public final class Settle<Q, R> {
    private static final Duration DEFAULT_AFTER = Duration.ofSeconds(1);
    private static final Duration LONGEST_AFTER = Duration.ofHours(1);
    private static final int DEFAULT_QUESTIONS = 3;

    private final StatusProbe<Q, R> probe;
    private final @Nullable Duration after;
    private final @Nullable Integer questions;

    private Settle(StatusProbe<Q, R> probe, @Nullable Duration after, @Nullable Integer questions) {
        this.probe = probe;
        this.after = after;
        this.questions = questions;
    }

    /** Asks by a probe, with the defaults above. */
    public static <Q, R> Settle<Q, R> by(StatusProbe<Q, R> probe) {
        return new Settle<>(probe, null, null);
    }

    /**
     * How long to wait before each question. A transaction may still be on its way, or be worked on, when its attempt has
     * ended, and "not there" is true only of what cannot come any more. So give the longest time that passes between the
     * end of a connection and the moment from which the target tells of the transaction: less than the default for one
     * that writes a transaction down as it comes in, as long as its slowest work for one that writes it down when done.
     *
     * @param wait 0 to 1 h
     * @throws IllegalArgumentException when out of range
     */
    public Settle<Q, R> after(Duration wait) {
        if (wait.isNegative() || wait.compareTo(LONGEST_AFTER) > 0) {
            throw new IllegalArgumentException("settle.after is 0 to 1 h, not " + Durations.words(wait));
        }
        return new Settle<>(probe, wait, questions);
    }

    /**
     * How often to ask at most, after each attempt that ended as unknown.
     *
     * @param most 1 to 10
     * @throws IllegalArgumentException when out of range
     */
    public Settle<Q, R> questions(int most) {
        if (most < 1 || most > 10) {
            throw new IllegalArgumentException("settle.questions are 1 to 10, not " + most);
        }
        return new Settle<>(probe, after, most);
    }

    StatusProbe<Q, R> probe() {
        return probe;
    }

    /** How long to wait before each question, at least. */
    public Duration after() {
        return after == null ? DEFAULT_AFTER : after;
    }

    /** How often to ask at most, after each attempt that ended as unknown. */
    public int questions() {
        return questions == null ? DEFAULT_QUESTIONS : questions;
    }

    /**
     * All of this as settings, those of the probe among them.
     *
     * @param since when they took their values
     */
    public List<Setting> settings(Instant since) {
        List<Setting> all = new ArrayList<>();
        all.add(new Setting(
                "settle.after",
                Durations.words(after()),
                "0..1 h",
                "the least wait before each question: what is under way may still arrive",
                since,
                origin(after)));
        all.add(new Setting(
                "settle.questions",
                Integer.toString(questions()),
                "1..10",
                "what has no clear word by then stays unknown",
                since,
                origin(questions)));
        all.addAll(probe.settings());
        return List.copyOf(all);
    }

    private static Origin origin(@Nullable Object given) {
        return given == null ? Origin.DEFAULT : Origin.FILE;
    }

    @Override
    public String toString() {
        return "at most %d questions, each after %s".formatted(questions(), Durations.words(after()));
    }
}
