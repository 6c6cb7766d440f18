package dev.penstock.collapse;

import dev.penstock.BatchEndings;
import dev.penstock.Ending;
import dev.penstock.Failed;
import dev.penstock.Observation;
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
 * The content of one call to the target: the requests, each with the callers that wait for its answer. Immutable.
 *
 * @param items one per request; merged requests are linked to it
 * @param later requests that must not be in the same batch, and are sent in another call
 */
record SealedBatch<Q, R>(List<BatchItem<Q, R>> items, List<BatchItem<Q, R>> later) {
    /**
     * Seals the requests of a batch.
     *
     * @param all the requests that joined, in order of arrival
     * @param max the maximum number of requests
     * @param callTime decides which requests can no longer be answered in time; those are rejected
     */
    static <Q, R> SealedBatch<Q, R> of(List<BatchItem<Q, R>> all, int max, long now, CallTime callTime) {
        try {
            return gather(all, max, now, callTime);
        } catch (Throwable broken) {
            return failAll(all, broken);
        }
    }

    /** A key whose equals or hashCode throws must not leave any caller without an ending. */
    private static <Q, R> SealedBatch<Q, R> failAll(List<BatchItem<Q, R>> all, Throwable broken) {
        Failed ending = new Failed(
                Failed.Cause.UNDONE,
                "its batch was not sent: a key of a request threw " + broken + "; correct its equals and hashCode",
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
            Object mergeKey = item.mergeKey();
            BatchItem<Q, R> leader = mergeKey == null ? null : leaders.get(mergeKey);
            Object uniqueKey = leader == null ? item.uniqueKey() : null;
            if (leader == null && (together.size() == max || unique.contains(uniqueKey))) {
                later.add(item);
            } else if (item.markSent(now, callTime)) {
                if (leader == null) {
                    together.add(item);
                    remember(leaders, mergeKey, item);
                    remember(unique, uniqueKey);
                } else {
                    item.mergeInto(leader);
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

    /** The requests to send, in order. */
    List<Q> requests() {
        return new AbstractList<>() {
            @Override
            public Q get(int index) {
                return items.get(index).request();
            }

            @Override
            public int size() {
                return items.size();
            }
        };
    }

    /** What follows the transactions in it: in the order of the requests, and then those of merged requests. */
    List<Observation> observations() {
        List<Observation> all = new ArrayList<>();
        List<Observation> merged = new ArrayList<>();
        for (BatchItem<Q, R> item : items) {
            for (BatchItem<Q, R> each = item; each != null; each = each.same()) {
                if (each.observation() != null) {
                    (each == item ? all : merged).add(each.observation());
                }
            }
        }
        all.addAll(merged);
        return all;
    }

    /** The longest time left of any of them, in nanoseconds; {@code Long.MAX_VALUE} for no deadline. */
    long longestLeft(long now) {
        long longest = Long.MIN_VALUE;
        for (BatchItem<Q, R> item : items) {
            longest = Math.max(longest, item.longestLeft(now));
        }
        return longest;
    }

    /**
     * Gives every caller the ending of its request.
     *
     * @param batch determines the ending of requests that were not sent
     */
    void end(BatchEndings<R> endings, Batch<Q, R> batch) {
        for (int index = 0; index < items.size(); index++) {
            Ending ending = endings.get(index);
            end(items.get(index), ending instanceof Unanswered none ? batch.ending(none) : ending);
        }
    }

    /** Gives every caller the same ending. */
    void end(Ending ending) {
        items.forEach(item -> end(item, ending));
    }

    /** Gives all callers of one request its ending. */
    static <Q, R> void end(BatchItem<Q, R> item, Ending ending) {
        for (BatchItem<Q, R> each = item; each != null; each = each.same()) {
            each.end(ending);
        }
    }

    /** The first or the second half of the requests. */
    List<BatchItem<Q, R>> half(boolean first) {
        int middle = (items.size() + 1) / 2;
        return first ? items.subList(0, middle) : items.subList(middle, items.size());
    }
}
