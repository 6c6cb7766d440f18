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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one transaction of a load: an ending with its cause, or a right or wrong answer. There is one instance
 * per cause; each has an index, so that counting is an array increment.
 */
public final class Outcome {
    private static final String REJECTED = "rejected";
    private static final String UNKNOWN = "unknown";
    private static final String OTHER = "other";
    private static final Set<String> UNANSWERED = Set.of("timeout", "interrupted");
    private static final List<Outcome> ALL = new ArrayList<>();
    private static final Map<Enum<?>, Outcome> BY_CAUSE = new HashMap<>();
    private static final Map<String, Map<String, Outcome>> REPORTED = new HashMap<>();

    /** Answered correctly. */
    public static final Outcome RIGHT = add("answered", "right");

    /** Answered incorrectly. */
    public static final Outcome WRONG = add("answered", "wrong");

    static {
        causes(REJECTED, Rejected.Cause.values());
        causes("failed", Failed.Cause.values());
        causes(UNKNOWN, Unknown.Cause.values());
    }

    private static final Outcome ERROR = of(new Unknown(Unknown.Cause.ERROR, "any exception that is not an ending"));

    private final int index;
    private final String ending;
    private final String cause;
    private final boolean unanswered;

    private Outcome(int index, String ending, String cause) {
        this.index = index;
        this.ending = ending;
        this.cause = cause;
        this.unanswered = ending.equals(UNKNOWN) && UNANSWERED.contains(cause);
    }

    /**
     * The outcome of an exception of a service: its ending and cause; unknown with cause error for exceptions that are
     * not endings.
     *
     * @param thrown the exception
     */
    public static Outcome of(Throwable thrown) {
        return thrown instanceof Unanswered unanswered ? BY_CAUSE.getOrDefault(unanswered.why(), ERROR) : ERROR;
    }

    /**
     * The outcome reported by a gateway's answer.
     *
     * @param ending {@code rejected}, {@code failed} or {@code unknown}
     * @param cause in lower case; an unrecognized cause counts as {@code other}
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

    /** The cause in lower case; {@code right} or {@code wrong} for an answer. */
    public String cause() {
        return cause;
    }

    /** Whether the transaction was rejected: deliberately never sent. */
    public boolean isRejected() {
        return ending.equals(REJECTED);
    }

    /** Whether no answer came within the time that was waited, so that the true time is longer and not known. */
    public boolean isUnanswered() {
        return unanswered;
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
