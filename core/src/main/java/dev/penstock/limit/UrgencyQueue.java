package dev.penstock.limit;

import dev.penstock.Prioritized;
import dev.penstock.Rejected;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for a permit, and who is next: the most urgent, and among equals who came first. Pure: no thread, no clock; the
 * time, the number of permits and the {@link QueuePolicy} are given with each question.
 *
 * <p>It never serves a request that cannot make its deadline, and holds no more than the rules allow. Where a more urgent
 * request takes the place that another one needs to be served in time, the last of the least urgent is shed.
 *
 * <p>Not safe for many threads.
 *
 * @param <E> what waits
 */
final class UrgencyQueue<E extends UrgencyQueue.Entry> {
    /** Something that waits. Each stands in a line once at most. */
    abstract static class Entry {
        private final long arrival;
        private final long allowed;
        private final int urgency;

        /**
         * Something that comes.
         *
         * @param arrival the reading of the ticker at which it comes
         * @param allowed the time from then to its deadline, in nanoseconds; {@link QueuePolicy#NO_DEADLINE} or more for none
         * @param urgency 0, the most urgent, to 7
         */
        Entry(long arrival, long allowed, int urgency) {
            this.arrival = arrival;
            this.allowed = allowed;
            this.urgency = urgency;
        }

        long arrival() {
            return arrival;
        }

        long allowed() {
            return allowed;
        }

        int urgency() {
            return urgency;
        }

        /** The reading at which it has waited for long enough. */
        long dueAt(QueuePolicy rules) {
            return arrival + rules.patience(allowed);
        }

        boolean canMakeIt(long now, QueuePolicy rules) {
            return allowed - (now - arrival) >= rules.neededNanos();
        }
    }

    private final List<SequencedSet<E>> byUrgency = new ArrayList<>();
    private int size;
    private boolean begun;
    private long lastWaited;
    private long notEmptySince;

    UrgencyQueue() {
        for (int urgency = 0; urgency <= Prioritized.LEAST_URGENT; urgency++) {
            byUrgency.add(new LinkedHashSet<>());
        }
    }

    /**
     * Lets someone into the line who found no permit free.
     *
     * @param shed takes who has to leave for it
     * @return why it may not wait, or null when it stands in the line now
     */
    Rejected.@Nullable Cause offer(E entry, int permits, QueuePolicy rules, Consumer<? super E> shed) {
        long now = entry.arrival();
        boolean standing = isStanding(now, rules);
        Rejected.Cause why = rules.refuse(ahead(entry.urgency()), permits, entry.allowed(), standing);
        if (why != null) {
            return why;
        }
        if (size == 0 && (!begun || rules.isStanding(now - lastWaited))) {
            // A line that was empty for a moment only, say for a few more permits, has stood all the time.
            notEmptySince = now;
        }
        begun = true;
        lastWaited = now;
        byUrgency.get(entry.urgency()).add(entry);
        size++;
        E last = last();
        if (last.urgency() > entry.urgency() && !hasRoom(last, now, permits, rules, standing)) {
            leave(last);
            shed.accept(last);
        }
        return null;
    }

    /** How many stand before one of that urgency who comes now. */
    private int ahead(int urgency) {
        int ahead = 0;
        for (int each = 0; each <= urgency; each++) {
            ahead += byUrgency.get(each).size();
        }
        return ahead;
    }

    private boolean hasRoom(E last, long now, int permits, QueuePolicy rules, boolean standing) {
        return size - 1 < rules.room(permits, last.dueAt(rules) - now, standing);
    }

    /**
     * Takes out who gets a permit that is free.
     *
     * @param dropped takes those before it who cannot make their deadlines any more; they have left the line
     * @return null when nobody is left
     */
    @Nullable
    E next(long now, QueuePolicy rules, Consumer<? super E> dropped) {
        while (size > 0) {
            E first = first();
            leave(first);
            lastWaited = now;
            if (first.canMakeIt(now, rules)) {
                return first;
            }
            dropped.accept(first);
        }
        return null;
    }

    /** Takes out all who have waited for as long as they may. */
    void prune(long now, QueuePolicy rules, Consumer<? super E> dropped) {
        for (SequencedSet<E> equals : byUrgency) {
            for (Iterator<E> each = equals.iterator(); each.hasNext(); ) {
                E entry = each.next();
                if (now - entry.dueAt(rules) >= 0) {
                    each.remove();
                    size--;
                    lastWaited = now;
                    dropped.accept(entry);
                }
            }
        }
    }

    /** Takes someone out; false when it does not stand in the line. */
    boolean leave(E entry) {
        boolean stood = byUrgency.get(entry.urgency()).remove(entry);
        size -= stood ? 1 : 0;
        return stood;
    }

    /** How many wait. */
    int size() {
        return size;
    }

    /** Since when somebody waits, but for moments; has a meaning only while somebody does. */
    long notEmptySince() {
        return notEmptySince;
    }

    /** Whether the line has stood for so long that it is no burst. */
    boolean isStanding(long now, QueuePolicy rules) {
        return size > 0 && rules.isStanding(now - notEmptySince);
    }

    /** The urgency of the least urgent who waits; -1 when nobody does. */
    int leastUrgent() {
        int urgency = Prioritized.LEAST_URGENT;
        while (urgency >= 0 && byUrgency.get(urgency).isEmpty()) {
            urgency--;
        }
        return urgency;
    }

    private E first() {
        int urgency = 0;
        while (byUrgency.get(urgency).isEmpty()) {
            urgency++;
        }
        return byUrgency.get(urgency).getFirst();
    }

    private E last() {
        return byUrgency.get(leastUrgent()).getLast();
    }
}
