package dev.penstock.collapse;

import dev.penstock.Ending;
import java.util.AbstractList;
import java.util.List;

/**
 * What goes to the target by one call: the requests, each with those who wait for its answer. Immutable.
 *
 * @param items one for each request; others that ask for the same hang on it
 * @param callers how many wait in all
 * @param later what travels by a call of its own, as it may not be together with these
 */
record Sealed<Q, R>(List<Item<Q, R>> items, int callers, List<Item<Q, R>> later) {
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
        for (Item<Q, R> item : items) {
            longest = Math.max(longest, item.longestLeft(now));
        }
        return longest;
    }

    /** Gives everybody the ending of the request. */
    void end(Endings<R> endings) {
        for (int place = 0; place < items.size(); place++) {
            end(items.get(place), endings.get(place));
        }
    }

    /** Gives everybody the same ending. */
    void end(Ending ending) {
        items.forEach(item -> end(item, ending));
    }

    private static <Q, R> void end(Item<Q, R> item, Ending ending) {
        for (Item<Q, R> each = item; each != null; each = each.same()) {
            each.end(ending);
        }
    }

    /** Those of one half who are still waited for. */
    List<Item<Q, R>> half(boolean first) {
        int middle = (items.size() + 1) / 2;
        return first ? items.subList(0, middle) : items.subList(middle, items.size());
    }
}
