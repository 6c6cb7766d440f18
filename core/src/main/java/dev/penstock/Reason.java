package dev.penstock;

import java.io.Serializable;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The technical reason for an ending, in one line and without secrets. See {@link Unanswered#reason()}.
 *
 * <p>Each text is the first line of the reported message, at most {@value #LONGEST} characters. Passwords, tokens, the user
 * info and query of URLs, numbers of 12 digits or more, and values quoted by a database or from an unreadable answer are
 * replaced by {@code ***}.
 *
 * @param ending {@code rejected}, {@code failed} or {@code unknown}
 * @param cause one of the causes of that ending, in lower case
 * @param sentence what happened, where, and what to do
 * @param exceptions the chain of causes, outermost first, each with its class and message, and its SQLState for an {@link
 *     SQLException}; may be empty
 */
public record Reason(String ending, String cause, String sentence, List<String> exceptions) implements Serializable {
    /**
     * The last reason for a cause.
     *
     * @param reason the reason
     * @param at when it was last seen, to a second
     * @param count the number of transactions that ended for this reason so far
     */
    public record Last(Reason reason, Instant at, long count) {}

    /** The maximum length of each text, in characters. */
    static final int LONGEST = 300;

    /** The maximum number of exceptions of a chain. */
    static final int DEEPEST = 8;

    /** A message this short may occur in a sentence by chance, so it is not left out as a repetition. */
    private static final int SHORT = 12;

    /** Copies the list of exceptions. */
    public Reason {
        exceptions = List.copyOf(exceptions);
    }

    static Reason of(Unanswered ending) {
        List<Throwable> chain = chain(ending);
        SafeText safe = new SafeText(quotesValues(ending, chain));
        String sentence = safe.line(String.valueOf(ending.getMessage()));
        List<String> exceptions = new ArrayList<>();
        for (Throwable link : chain) {
            exceptions.add(format(link, safe));
        }
        return new Reason(ending.ending(), ending.causeName(), sentence, exceptions);
    }

    /** Messages of databases and parsers quote their input. */
    private static boolean quotesValues(Unanswered ending, List<Throwable> chain) {
        return ending.why() == Unknown.Cause.GARBLED || chain.stream().anyMatch(SQLException.class::isInstance);
    }

    private static List<Throwable> chain(Throwable ending) {
        List<Throwable> chain = new ArrayList<>();
        Throwable link = ending.getCause();
        while (link != null && chain.size() < DEEPEST && !chain.contains(link)) {
            chain.add(link);
            link = link.getCause();
        }
        return chain;
    }

    private static String format(Throwable link, SafeText safe) {
        String state = link instanceof SQLException error && error.getSQLState() != null
                ? " (SQLState " + error.getSQLState() + ")"
                : "";
        String name = link.getClass().getName() + state;
        String message = link.getMessage();
        return message == null || message.isBlank() ? name : name + ": " + safe.line(message);
    }

    /**
     * A key that groups similar reasons: equal for two reasons that differ only in numbers and identifiers, such as ports,
     * times and keys. Codes are kept: an SQLState, the status of an answer. Not for display; may contain secrets.
     *
     * @param ending the ending to classify
     * @return a text of bounded length
     */
    public static String kind(Unanswered ending) {
        StringBuilder kind = new StringBuilder(120).append(ending.why()).append(' ');
        ReasonKind.append(ending.getMessage(), kind);
        Throwable link = ending.getCause();
        for (int depth = 0; link != null && depth < DEEPEST; depth++) {
            kind.append('|').append(link.getClass().getName()).append(' ');
            if (link instanceof SQLException error) {
                kind.append(error.getSQLState()).append(' ');
            }
            ReasonKind.append(link instanceof UnknownHostException unknown ? host(unknown) : link.getMessage(), kind);
            link = link.getCause();
        }
        return kind.toString();
    }

    /** Strips the resolver's message, which the JDK leaves out when it answers from its cache. */
    private static String host(UnknownHostException unknown) {
        String message = String.valueOf(unknown.getMessage());
        int colon = message.indexOf(": ");
        return colon < 0 ? message : message.substring(0, colon);
    }

    /**
     * {@return the sentence, followed by the chain of exceptions in brackets, without the ending and the cause} Messages that
     * already occur in the sentence or in an earlier exception are left out.
     */
    public String format() {
        if (exceptions.isEmpty()) {
            return sentence;
        }
        StringBuilder text = new StringBuilder(sentence).append(" [");
        for (String exception : exceptions) {
            int colon = exception.indexOf(": ");
            boolean repeats = colon > 0
                    && exception.length() - colon > SHORT
                    && text.indexOf(exception.substring(colon + 2)) >= 0;
            text.append(text.charAt(text.length() - 1) == '[' ? "" : " <- ")
                    .append(repeats ? exception.substring(0, colon) : exception);
        }
        return text.append(']').toString();
    }

    /**
     * {@return whether another reason differs from this one only in numbers, identifiers and exception messages}
     *
     * @param other another reason
     */
    public boolean isLike(Reason other) {
        return withoutNumbers().equals(other.withoutNumbers());
    }

    private String withoutNumbers() {
        StringBuilder kind = new StringBuilder(ending).append(cause);
        ReasonKind.append(sentence, kind);
        exceptions.forEach(exception -> kind.append('|').append(exception.split(": ", 2)[0]));
        return kind.toString();
    }

    /** Ending, cause, sentence and exceptions in one line. */
    @Override
    public String toString() {
        return ending + " (" + cause + "): " + format();
    }
}
