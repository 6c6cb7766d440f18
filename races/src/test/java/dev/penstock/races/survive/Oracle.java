package dev.penstock.races.survive;

import dev.penstock.Accounting;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records the ending of every call, and compares the endings with what the peer received.
 *
 * <p>Thread-safe.
 */
final class Oracle {
    /** How a call ended for its caller. */
    enum Ending {
        ANSWERED,
        REJECTED,
        FAILED,
        UNKNOWN,
        NONE
    }

    /** The rules that every schedule must satisfy. */
    enum Rule {
        /** Violated if a call was answered and the peer never received the transaction. */
        LOST,
        /** Violated if the peer received a transaction twice, although its id is its idempotency key. */
        DOUBLED,
        /** Violated if all calls of a transaction ended as rejected or failed, and the peer received it. */
        DENIED,
        /** Violated if a call had not ended 2 s after its deadline. */
        HUNG,
        /** Violated if a caller received the answer of another transaction. */
        MISTAKEN,
        /** Violated if the flow's counts differ from the endings of its calls, or if calls in flight never ended. */
        UNBALANCED,
        /** Violated if a permit, a connection or a target call was still held after all calls had ended. */
        LEAKED,
        /** Violated if no transaction was answered in time after the last fault. */
        NOT_RECOVERED
    }

    /**
     * A violation of a rule.
     *
     * @param rule the rule
     * @param evidence what was observed
     */
    record Violation(Rule rule, String evidence) {
        @Override
        public String toString() {
            return rule + ": " + evidence;
        }
    }

    /** One call of one caller. */
    static final class Call {
        private final String id;
        private final long begin;
        private final Thread caller;
        private Ending ending = Ending.NONE;
        private String detail = "no ending";
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
            return id + " ended as " + ending + " (" + detail + ")";
        }
    }

    private final List<Call> calls = new ArrayList<>();
    private final List<Violation> seen = new ArrayList<>();

    /** Records that a call by the current thread begins. */
    synchronized Call begins(String id, long now) {
        Call call = new Call(id, now, Thread.currentThread());
        calls.add(call);
        return call;
    }

    /** Records that a call was answered. */
    synchronized void answered(Call call, String id) {
        call.ending = Ending.ANSWERED;
        call.detail = "answer " + id;
        call.mistaken = !id.equals(call.id);
    }

    /**
     * Records any other ending. An exception that is none of the endings counts as unknown, as in the flow's
     * accounting.
     */
    synchronized Ending ended(Call call, Throwable how) {
        call.ending = switch (how) {
            case Rejected _ -> Ending.REJECTED;
            case Failed _ -> Ending.FAILED;
            default -> Ending.UNKNOWN;
        };
        call.detail = how.toString();
        return call.ending;
    }

    /** The calls that began before a clock reading and have not ended. */
    synchronized List<Call> withoutEndingSince(long reading) {
        return calls.stream()
                .filter(call -> call.ending == Ending.NONE && call.begin - reading < 0)
                .toList();
    }

    /** Records a violation observed elsewhere. */
    synchronized void record(Rule rule, String evidence) {
        seen.add(new Violation(rule, evidence));
    }

    /** The last call of each ending, to diagnose why nothing is answered. */
    synchronized String lastCalls() {
        Map<Ending, Call> last = new EnumMap<>(Ending.class);
        calls.forEach(call -> last.put(call.ending, call));
        return last.values().toString();
    }

    /** The number of calls by ending. */
    synchronized Map<Ending, Integer> endings() {
        Map<Ending, Integer> counts = new EnumMap<>(Ending.class);
        for (Ending ending : Ending.values()) {
            counts.put(ending, 0);
        }
        calls.forEach(call -> counts.merge(call.ending, 1, Integer::sum));
        return counts;
    }

    /**
     * Evaluates the rules after all calls have ended.
     *
     * @param received how often the peer received each transaction
     * @param accounting the flow's counts; null if a call hangs, so that they cannot balance
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
        String evidence = of + ", received " + received + " times";
        if (received == 0 && of.stream().anyMatch(call -> call.ending == Ending.ANSWERED)) {
            all.add(new Violation(Rule.LOST, evidence));
        }
        if (received > 1) {
            all.add(new Violation(Rule.DOUBLED, evidence));
        }
        if (received > 0
                && of.stream().allMatch(call -> call.ending == Ending.REJECTED || call.ending == Ending.FAILED)) {
            all.add(new Violation(Rule.DENIED, evidence));
        }
        if (of.stream().anyMatch(call -> call.mistaken)) {
            all.add(new Violation(Rule.MISTAKEN, evidence));
        }
    }

    private void balance(Accounting counted, List<Violation> all) {
        Map<Ending, Integer> recorded = endings();
        boolean same = counted.offered() == calls.size()
                && counted.answered() == recorded.getOrDefault(Ending.ANSWERED, 0)
                && counted.rejected() == recorded.getOrDefault(Ending.REJECTED, 0)
                && counted.failed() == recorded.getOrDefault(Ending.FAILED, 0)
                && counted.unknown() == recorded.getOrDefault(Ending.UNKNOWN, 0);
        if (!same || !counted.isSettled()) {
            all.add(new Violation(
                    Rule.UNBALANCED,
                    "the flow counted " + counted.sentence() + "; " + calls.size() + " calls ended as " + recorded));
        }
    }
}
