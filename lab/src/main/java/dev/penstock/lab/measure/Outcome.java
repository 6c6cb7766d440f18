package dev.penstock.lab.measure;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How one transaction of a load ended: an ending and its cause, or an answer that was right or wrong. There are as many
 * as there are causes; each has an index, so that counting one is an addition in an array.
 */
public final class Outcome {
    private static final String REJECTED = "rejected";
    private static final String OTHER = "other";
    private static final List<Outcome> ALL = new ArrayList<>();
    private static final Map<Enum<?>, Outcome> BY_CAUSE = new HashMap<>();
    private static final Map<String, Map<String, Outcome>> REPORTED = new HashMap<>();

    /** Answered, and the answer was right. */
    public static final Outcome RIGHT = add("answered", "right");

    /** Answered, and the answer was not what it had to be. */
    public static final Outcome WRONG = add("answered", "wrong");

    static {
        causes(REJECTED, Rejected.Cause.values());
        causes("failed", Failed.Cause.values());
        causes("unknown", Unknown.Cause.values());
    }

    private static final Outcome ERROR = of(new Unknown(Unknown.Cause.ERROR, "any exception that is not an ending"));

    private final int index;
    private final String ending;
    private final String cause;

    private Outcome(int index, String ending, String cause) {
        this.index = index;
        this.ending = ending;
        this.cause = cause;
    }

    /**
     * The outcome for what a service threw: its ending and cause, or unknown by error for anything that is no ending.
     *
     * @param thrown what the service threw
     */
    public static Outcome of(Throwable thrown) {
        return thrown instanceof Unanswered unanswered ? BY_CAUSE.getOrDefault(unanswered.why(), ERROR) : ERROR;
    }

    /**
     * The outcome that an answer of a gateway reports.
     *
     * @param ending {@code rejected}, {@code failed} or {@code unknown}
     * @param cause in lower case; one that this version does not know counts as {@code other}
     * @return the outcome; null when there is no such ending
     */
    public static @Nullable Outcome reported(String ending, String cause) {
        Map<String, Outcome> causes = REPORTED.get(ending);
        return causes == null ? null : causes.getOrDefault(cause, causes.get(OTHER));
    }

    /** {@code answered}, {@code rejected}, {@code failed} or {@code unknown}. */
    public String ending() {
        return ending;
    }

    /** Why, in lower case; {@code right} or {@code wrong} for an answer. */
    public String cause() {
        return cause;
    }

    /** Whether it was never sent, by someone's decision. */
    public boolean isRejected() {
        return ending.equals(REJECTED);
    }

    int index() {
        return index;
    }

    static List<Outcome> all() {
        return ALL;
    }

    @Override
    public String toString() {
        return ending + " " + cause;
    }

    private static Outcome add(String ending, String cause) {
        Outcome outcome = new Outcome(ALL.size(), ending, cause);
        ALL.add(outcome);
        return outcome;
    }

    private static void causes(String ending, Enum<?>[] causes) {
        Map<String, Outcome> reported = new HashMap<>();
        for (Enum<?> cause : causes) {
            Outcome outcome = add(ending, cause.name().toLowerCase(Locale.ROOT));
            BY_CAUSE.put(cause, outcome);
            reported.put(outcome.cause, outcome);
        }
        reported.put(OTHER, add(ending, OTHER));
        REPORTED.put(ending, reported);
    }
}
