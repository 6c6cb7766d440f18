package dev.penstock.jms.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class KeyOrderTest {
    static HeldMessage held(int number, @org.jspecify.annotations.Nullable String key) {
        return new HeldMessage(Blank.MESSAGE, null, false, 1, Integer.toString(number), key);
    }

    @Property(tries = 300)
    void processesOneMessagePerKeyInOrder(
            @ForAll @Size(max = 80) List<@IntRange(min = 0, max = 4) Integer> keys, @ForAll long seed) {
        KeyOrder order = new KeyOrder();
        Random random = new Random(seed);
        Map<String, List<Integer>> begun = new HashMap<>();
        Set<String> busy = new HashSet<>();
        List<HeldMessage> running = new ArrayList<>();
        Deque<HeldMessage> coming = new ArrayDeque<>();
        for (int n = 0; n < keys.size(); n++) {
            coming.add(held(n, "k" + keys.get(n)));
        }
        while (!coming.isEmpty() || !running.isEmpty()) {
            if (!coming.isEmpty() && (running.isEmpty() || random.nextBoolean())) {
                HeldMessage next = coming.poll();
                if (order.mayStart(next)) {
                    begin(next, begun, busy, running);
                }
            } else {
                HeldMessage ended = running.remove(random.nextInt(running.size()));
                busy.remove(ended.orderKey());
                HeldMessage next = order.after(ended);
                if (next != null) {
                    begin(next, begun, busy, running);
                }
            }
        }
        assertThat(begun.values().stream().mapToInt(List::size).sum()).isEqualTo(keys.size());
        assertThat(begun.values()).allSatisfy(numbers -> assertThat(numbers).isSorted());
    }

    private static void begin(
            HeldMessage held, Map<String, List<Integer>> begun, Set<String> busy, List<HeldMessage> running) {
        String key = String.valueOf(held.orderKey());
        assertThat(busy.add(key)).as("another of %s is in process", key).isTrue();
        begun.computeIfAbsent(key, any -> new ArrayList<>()).add(Integer.valueOf(String.valueOf(held.id())));
        running.add(held);
    }

    @Test
    void messagesWithoutAKeyDoNotWait() {
        KeyOrder order = new KeyOrder();
        assertThat(order.mayStart(held(1, null))).isTrue();
        assertThat(order.mayStart(held(2, null))).isTrue();
        HeldMessage first = held(3, "k");
        assertThat(order.mayStart(first)).isTrue();
        assertThat(order.mayStart(held(4, "k"))).isFalse();
        List<HeldMessage> dropped = new ArrayList<>();
        order.forgetWaiting(dropped::add);
        assertThat(dropped).extracting(HeldMessage::id).containsExactly("4");
        assertThat(order.after(first)).isNull();
        assertThat(order.mayStart(held(5, "k"))).isTrue();
    }
}
