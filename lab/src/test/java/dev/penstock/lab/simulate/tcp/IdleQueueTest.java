package dev.penstock.lab.simulate.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class IdleQueueTest {
    private static final long IDLE = 5_000;
    private static final long START = Long.MAX_VALUE - 7_000; // readings overflow on the way
    private static final IdleRule RULE = IdleRule.after(Duration.ofNanos(IDLE), IdleKill.RST);

    private final Map<String, Long> last = new HashMap<>();
    private final IdleQueue<String> queue = new IdleQueue<>(RULE, last::get);

    @Test
    void isDueAfterTheWholeTimeAndNotBefore() {
        touch("a", START);
        queue.add("a");

        assertThat(queue.due(at(IDLE - 1))).isEmpty();
        assertThat(queue.due(at(IDLE))).containsExactly("a");
        assertThat(queue.due(at(100 * IDLE))).as("it was told").isEmpty();
    }

    @Test
    void bytesMoveItBack() {
        touch("a", START);
        queue.add("a");
        touch("a", at(3_000));

        assertThat(queue.nextCheck(START)).isEqualTo(at(IDLE));
        assertThat(queue.due(at(IDLE))).isEmpty();
        assertThat(queue.nextCheck(at(IDLE))).isEqualTo(at(3_000 + IDLE));
        assertThat(queue.due(at(3_000 + IDLE))).containsExactly("a");
    }

    @Test
    void thoseThatAreDueTogetherAreToldTogether() {
        for (String name : List.of("a", "b", "c")) {
            touch(name, START);
            queue.add(name);
        }
        queue.remove("b");
        queue.remove("nobody");

        assertThat(queue.due(at(IDLE))).containsExactly("a", "c");
    }

    @Test
    void withNobodyInItNothingIsDueForAWholeTime() {
        assertThat(queue.nextCheck(START)).isEqualTo(at(IDLE));
    }

    @Test
    void aRuleWithoutATimeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdleRule.after(Duration.ZERO, IdleKill.FIN))
                .withMessageContaining("use a time above 0");
        assertThat(IdleRule.NEVER.due(START, at(Duration.ofDays(36_500).toNanos())))
                .isFalse();
    }

    /** Who looks only when told to kills each connection exactly on time, whatever comes and goes. */
    @Property(tries = 300)
    void whoLooksWhenToldMissesNothing(@ForAll @Size(max = 200) List<@IntRange(max = 9_999) Integer> events) {
        Map<String, Long> touched = new HashMap<>();
        IdleQueue<String> line = new IdleQueue<>(RULE, touched::get);
        long now = START;
        long look = line.nextCheck(now);
        for (int event : events) {
            long then = now + event / 10;
            while (look - then <= 0) {
                now = look;
                look = look(line, touched, now);
            }
            now = then;
            String name = "connection " + event % 10;
            if (touched.put(name, now) == null) {
                line.add(name);
            }
            assertThat(touched.values()).as("nobody is overdue").allMatch(last -> !RULE.due(last, then));
        }
        for (int i = 0; i < 50; i++) {
            now = look;
            look = look(line, touched, now);
        }
        assertThat(touched).as("all are killed in the end").isEmpty();
        assertThat(line.due(now + 10 * IDLE)).isEmpty();
    }

    private static long look(IdleQueue<String> line, Map<String, Long> touched, long now) {
        for (String name : line.due(now)) {
            assertThat(now - touched.getOrDefault(name, now))
                    .as("killed on time")
                    .isEqualTo(IDLE);
            touched.remove(name);
        }
        long next = line.nextCheck(now);
        assertThat(next - now).as("no busy waiting").isPositive();
        return next;
    }

    private static long at(long nanos) {
        return START + nanos;
    }

    private void touch(String name, long at) {
        last.put(name, at);
    }
}
