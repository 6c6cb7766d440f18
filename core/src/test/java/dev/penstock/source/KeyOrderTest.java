package dev.penstock.source;

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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KeyOrderTest {
    private record Numbered(int number, @Nullable String key) {}

    private final KeyOrder<Numbered> order = new KeyOrder<>(Numbered::key);

    @Property(tries = 300)
    void processesOneMessagePerKeyInOrder(
            @ForAll @Size(max = 80) List<@IntRange(min = 0, max = 4) Integer> keys, @ForAll long seed) {
        Random random = new Random(seed);
        Map<String, List<Integer>> begun = new HashMap<>();
        Set<String> busy = new HashSet<>();
        List<Numbered> running = new ArrayList<>();
        Deque<Numbered> coming = new ArrayDeque<>();
        for (int n = 0; n < keys.size(); n++) {
            coming.add(new Numbered(n, "k" + keys.get(n)));
        }
        while (!coming.isEmpty() || !running.isEmpty()) {
            if (!coming.isEmpty() && (running.isEmpty() || random.nextBoolean())) {
                Numbered next = coming.poll();
                if (order.mayStart(next)) {
                    begin(next, begun, busy, running);
                }
            } else {
                Numbered ended = running.remove(random.nextInt(running.size()));
                busy.remove(ended.key());
                Numbered next = order.after(ended);
                if (next != null) {
                    begin(next, begun, busy, running);
                }
            }
        }
        assertThat(begun.values().stream().mapToInt(List::size).sum()).isEqualTo(keys.size());
        assertThat(begun.values()).allSatisfy(numbers -> assertThat(numbers).isSorted());
    }

    private static void begin(
            Numbered held, Map<String, List<Integer>> begun, Set<String> busy, List<Numbered> running) {
        String key = String.valueOf(held.key());
        assertThat(busy.add(key)).as("another of %s is in process", key).isTrue();
        begun.computeIfAbsent(key, any -> new ArrayList<>()).add(held.number());
        running.add(held);
    }

    @Test
    void messagesWithoutAKeyDoNotWait() {
        assertThat(order.mayStart(new Numbered(1, null))).isTrue();
        assertThat(order.mayStart(new Numbered(2, null))).isTrue();
        Numbered first = new Numbered(3, "k");
        assertThat(order.mayStart(first)).isTrue();
        assertThat(order.mayStart(new Numbered(4, "k"))).isFalse();
        List<Numbered> dropped = new ArrayList<>();
        order.forgetWaiting(dropped::add);
        assertThat(dropped).extracting(Numbered::number).containsExactly(4);
        assertThat(order.after(first)).isNull();
        assertThat(order.mayStart(new Numbered(5, "k"))).isTrue();
    }
}
