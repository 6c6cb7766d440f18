package dev.penstock.collapse;

import dev.penstock.Ending;
import dev.penstock.Failed;
import dev.penstock.Unanswered;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What goes to the target by one call: the requests, each with those who wait for its answer. Immutable.
 *
 * @param items one for each request; others that ask for the same hang on it
 * @param later what travels by a call of its own, as it may not be together with these
 */
record SealedBatch<Q, R>(List<BatchItem<Q, R>> items, List<BatchItem<Q, R>> later) {
    /**
     * Takes along who is here.
     *
     * @param all who has joined, in their order
     * @param max how many requests there may be at most
     * @param callTime tells who cannot be answered any more: they stay behind, rejected
     */
    static <Q, R> SealedBatch<Q, R> of(List<BatchItem<Q, R>> all, int max, long now, CallTime callTime) {
        try {
            return gather(all, max, now, callTime);
        } catch (Throwable broken) {
            return nobody(all, broken);
        }
    }

    /** Keys that cannot be compared must not take anybody's ending away. */
    private static <Q, R> SealedBatch<Q, R> nobody(List<BatchItem<Q, R>> all, Throwable broken) {
        Failed ending = new Failed(
                Failed.Cause.UNDONE,
                "nothing of its batch was sent, as a key of a request threw " + broken
                        + "; correct its equals and hashCode",
                broken);
        all.forEach(item -> item.end(ending));
        return new SealedBatch<>(List.of(), List.of());
    }

    private static <Q, R> SealedBatch<Q, R> gather(List<BatchItem<Q, R>> all, int max, long now, CallTime callTime) {
        Map<Object, BatchItem<Q, R>> leaders = new HashMap<>();
        Set<Object> unique = new HashSet<>();
        List<BatchItem<Q, R>> together = new ArrayList<>(all.size());
        List<BatchItem<Q, R>> later = new ArrayList<>();
        for (BatchItem<Q, R> item : all) {
            Object asksFor = item.asksFor();
            BatchItem<Q, R> leader = asksFor == null ? null : leaders.get(asksFor);
            Object alone = leader == null ? item.alone() : null;
            if (leader == null && (together.size() == max || unique.contains(alone))) {
                later.add(item);
            } else if (item.departs(now, callTime)) {
                if (leader == null) {
                    together.add(item);
                    remember(leaders, asksFor, item);
                    remember(unique, alone);
                } else {
                    item.joins(leader);
                }
            }
        }
        return new SealedBatch<>(together, later);
    }

    private static <T> void remember(Map<Object, T> map, @Nullable Object key, T value) {
        if (key != null) {
            map.put(key, value);
        }
    }

    private static void remember(Set<Object> set, @Nullable Object key) {
        if (key != null) {
            set.add(key);
        }
    }

    int size() {
        return items.size();
    }

    /** The requests in their order, as the target sees them. */
    List<Q> requests() {
        return new AbstractList<>() {
            @Override
            public Q get(int place) {
                return items.get(place).request();
            }

            @Override
            public int size() {
                return items.size();
            }
        };
    }

    /** The longest time that any of them has left; {@code Long.MAX_VALUE} for ever. */
    long longestLeft(long now) {
        long longest = Long.MIN_VALUE;
        for (BatchItem<Q, R> item : items) {
            longest = Math.max(longest, item.longestLeft(now));
        }
        return longest;
    }

    /**
     * Gives everybody the ending of the request.
     *
     * @param batch tells how they end who were not sent
     */
    void end(BatchEndings<R> endings, Batch<Q, R> batch) {
        for (int place = 0; place < items.size(); place++) {
            Ending ending = endings.get(place);
            end(items.get(place), ending instanceof Unanswered none ? batch.ending(none) : ending);
        }
    }

    /** Gives everybody the same ending. */
    void end(Ending ending) {
        items.forEach(item -> end(item, ending));
    }

    /** Gives an ending to all who wait for one request. */
    static <Q, R> void end(BatchItem<Q, R> item, Ending ending) {
        for (BatchItem<Q, R> each = item; each != null; each = each.same()) {
            each.end(ending);
        }
    }

    /** Those of one half who are still waited for. */
    List<BatchItem<Q, R>> half(boolean first) {
        int middle = (items.size() + 1) / 2;
        return first ? items.subList(0, middle) : items.subList(middle, items.size());
    }
}
