package dev.penstock.races.survive;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.meter.Accounting;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Knows what every caller was told, and holds it against what the peer received.
 *
 * <p>Safe for many threads.
 */
final class Oracle {
    /** What a caller was told. */
    enum Told {
        ANSWERED,
        REJECTED,
        FAILED,
        UNKNOWN,
        NOTHING
    }

    /** A rule that did not hold. */
    enum Rule {
        /** A caller had an answer, and the peer never received the transaction. */
        LOST,
        /** The peer received a transaction twice, although its id is its key. */
        DOUBLED,
        /** All calls of a transaction were told that it was not sent or had no effect, and the peer has it. */
        DENIED,
        /** A call had no ending 2 s after its deadline. */
        HUNG,
        /** A caller had the answer of another transaction. */
        MISTAKEN,
        /** The flow counted other endings than its callers were told, or did not end what was in flight. */
        UNBALANCED,
        /** A permit, a connection or a call of the target outlived the calls. */
        LEAKED,
        /** No transaction was answered in time after the last fault. */
        NOT_RECOVERED
    }

    /**
     * A rule that did not hold, and what was seen.
     *
     * @param rule which
     * @param words what was seen
     */
    record Violation(Rule rule, String words) {
        @Override
        public String toString() {
            return rule + ": " + words;
        }
    }

    /** One call of one caller. */
    static final class Call {
        private final String id;
        private final long begin;
        private final Thread caller;
        private Told told = Told.NOTHING;
        private String words = "no ending";
        private boolean mistaken;

        private Call(String id, long begin, Thread caller) {
            this.id = id;
            this.begin = begin;
            this.caller = caller;
        }

        long begin() {
            return begin;
        }

        Thread caller() {
            return caller;
        }

        @Override
        public String toString() {
            return id + " was told " + told + " (" + words + ")";
        }
    }

    private final List<Call> calls = new ArrayList<>();
    private final List<Violation> seen = new ArrayList<>();

    /** A call of the current thread begins. */
    synchronized Call begins(String id, long now) {
        Call call = new Call(id, now, Thread.currentThread());
        calls.add(call);
        return call;
    }

    /** A call had an answer. */
    synchronized void answered(Call call, String id) {
        call.told = Told.ANSWERED;
        call.words = "answer " + id;
        call.mistaken = !id.equals(call.id);
    }

    /** A call ended otherwise; what is none of the endings counts as unknown, as the flow's own accounting does. */
    synchronized Told ended(Call call, Throwable how) {
        call.told = switch (how) {
            case Rejected _ -> Told.REJECTED;
            case Failed _ -> Told.FAILED;
            default -> Told.UNKNOWN;
        };
        call.words = how.toString();
        return call.told;
    }

    /** The calls that began before a reading and have no ending. */
    synchronized List<Call> withoutEndingSince(long reading) {
        return calls.stream()
                .filter(call -> call.told == Told.NOTHING && call.begin - reading < 0)
                .toList();
    }

    /** A rule did not hold, as somebody else saw. */
    synchronized void saw(Rule rule, String words) {
        seen.add(new Violation(rule, words));
    }

    /** The last of each kind of ending, to see why nothing is answered. */
    synchronized String lastCalls() {
        Map<Told, Call> last = new EnumMap<>(Told.class);
        calls.forEach(call -> last.put(call.told, call));
        return last.values().toString();
    }

    /** How many calls were told what. */
    synchronized Map<Told, Integer> endings() {
        Map<Told, Integer> counts = new EnumMap<>(Told.class);
        for (Told told : Told.values()) {
            counts.put(told, 0);
        }
        calls.forEach(call -> counts.merge(call.told, 1, Integer::sum));
        return counts;
    }

    /**
     * Judges, when all is over.
     *
     * @param received how often the peer received each transaction
     * @param accounting what the flow counted; null when a call hangs, so that it cannot be balanced
     */
    synchronized List<Violation> violations(Map<String, Integer> received, @Nullable Accounting accounting) {
        List<Violation> all = new ArrayList<>(seen);
        Map<String, List<Call>> byId = new LinkedHashMap<>();
        calls.forEach(
                call -> byId.computeIfAbsent(call.id, id -> new ArrayList<>()).add(call));
        byId.forEach((id, of) -> judge(of, received.getOrDefault(id, 0), all));
        if (accounting != null) {
            balance(accounting, all);
        }
        return all;
    }

    private static void judge(List<Call> of, int received, List<Violation> all) {
        String words = of + ", received " + received + " times";
        if (received == 0 && of.stream().anyMatch(call -> call.told == Told.ANSWERED)) {
            all.add(new Violation(Rule.LOST, words));
        }
        if (received > 1) {
            all.add(new Violation(Rule.DOUBLED, words));
        }
        if (received > 0 && of.stream().allMatch(call -> call.told == Told.REJECTED || call.told == Told.FAILED)) {
            all.add(new Violation(Rule.DENIED, words));
        }
        if (of.stream().anyMatch(call -> call.mistaken)) {
            all.add(new Violation(Rule.MISTAKEN, words));
        }
    }

    private void balance(Accounting counted, List<Violation> all) {
        Map<Told, Integer> told = endings();
        boolean same = counted.offered() == calls.size()
                && counted.answered() == told.getOrDefault(Told.ANSWERED, 0)
                && counted.rejected() == told.getOrDefault(Told.REJECTED, 0)
                && counted.failed() == told.getOrDefault(Told.FAILED, 0)
                && counted.unknown() == told.getOrDefault(Told.UNKNOWN, 0);
        if (!same || !counted.isSettled()) {
            all.add(new Violation(
                    Rule.UNBALANCED,
                    "the flow counted " + counted.sentence() + "; " + calls.size() + " callers were told " + told));
        }
    }
}
