package dev.penstock;

import java.io.Serializable;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The technical reason of an ending: what went wrong, in one line and without secrets. Get one with {@link
 * Unanswered#reason()}.
 *
 * <p>Each text is the first line of what a part of the program reports, at most {@value #LONGEST} characters. Passwords,
 * tokens, user names and queries of URLs, long numbers, and values that a database or an unreadable answer quotes are
 * replaced by {@code ***}.
 *
 * @param ending {@code rejected}, {@code failed} or {@code unknown}
 * @param cause one of the causes of that ending, in lower case
 * @param sentence what happened, where, and what to do
 * @param exceptions the chain of exceptions behind it, each with its class and message, the outermost first; those of SQL with
 *     their SQLState; may be empty
 */
public record Reason(String ending, String cause, String sentence, List<String> exceptions) implements Serializable {
    /** How many characters each text has at most. */
    static final int LONGEST = 300;

    /** How many exceptions of a chain are kept. */
    static final int DEEPEST = 8;

    /** A message as short as this is repeated: it may be found in any sentence. */
    private static final int SHORT = 12;

    /** Copies the list. */
    public Reason {
        exceptions = List.copyOf(exceptions);
    }

    static Reason of(Unanswered ending) {
        List<Throwable> chain = chain(ending);
        SafeText safe = new SafeText(quotesValues(ending, chain));
        String sentence = safe.line(String.valueOf(ending.getMessage()));
        List<String> exceptions = new ArrayList<>();
        for (Throwable link : chain) {
            exceptions.add(words(link, safe));
        }
        return new Reason(ending.ending(), ending.whyWord(), sentence, exceptions);
    }

    /** A database, and a reader of an answer, quote what they were given. */
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

    private static String words(Throwable link, SafeText safe) {
        String state = link instanceof SQLException error && error.getSQLState() != null
                ? " (SQLState " + error.getSQLState() + ")"
                : "";
        String name = link.getClass().getName() + state;
        String message = link.getMessage();
        return message == null || message.isBlank() ? name : name + ": " + safe.line(message);
    }

    /**
     * What tells this reason from others: the same for two that differ only in numbers and identifiers, such as ports, times
     * and keys. A number that is a code is kept: an SQLState, the status of an answer. Not made for people, and not free of
     * secrets.
     *
     * @param ending what the reason is of
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

    /** Without what the resolver said, which the cache of the JDK leaves out the next time. */
    private static String host(UnknownHostException unknown) {
        String message = String.valueOf(unknown.getMessage());
        int colon = message.indexOf(": ");
        return colon < 0 ? message : message.substring(0, colon);
    }

    /**
     * The sentence, and the exceptions behind it in brackets, without the ending and the cause. A message that the sentence
     * or an exception before it has already is left out.
     */
    public String words() {
        if (exceptions.isEmpty()) {
            return sentence;
        }
        StringBuilder words = new StringBuilder(sentence).append(" [");
        for (String exception : exceptions) {
            int colon = exception.indexOf(": ");
            boolean repeats = colon > 0
                    && exception.length() - colon > SHORT
                    && words.indexOf(exception.substring(colon + 2)) >= 0;
            words.append(words.charAt(words.length() - 1) == '[' ? "" : " <- ")
                    .append(repeats ? exception.substring(0, colon) : exception);
        }
        return words.append(']').toString();
    }

    /** Whether another reason differs from this one only in numbers, identifiers and messages of exceptions. */
    public boolean isLike(Reason other) {
        return withoutNumbers().equals(other.withoutNumbers());
    }

    private String withoutNumbers() {
        StringBuilder kind = new StringBuilder(ending).append(cause);
        ReasonKind.append(sentence, kind);
        exceptions.forEach(exception -> kind.append('|').append(exception.split(": ", 2)[0]));
        return kind.toString();
    }

    /** All of it in one line. */
    @Override
    public String toString() {
        return ending + " (" + cause + "): " + words();
    }
}
