package dev.penstock.collapse;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyGateTest {
    private final KeyGate gate = new KeyGate();

    private static boolean isFree(KeyGate.Pass pass) throws InterruptedException {
        return pass.await(0);
    }

    @Test
    void whoHasNoKeyInCommonWaitsForNobody() throws Exception {
        try (var _ = gate.enter(List.of("a", "b"));
                var other = gate.enter(List.of("c"));
                var none = gate.enter(Arrays.asList(null, null))) {
            assertThat(isFree(other)).isTrue();
            assertThat(isFree(none)).isTrue();
        }
        assertThat(gate.keysOut()).isZero();
    }

    @Test
    void whoHasOneWaitsForAllBeforeIt() throws Exception {
        var one = gate.enter(List.of("a"));
        var two = gate.enter(List.of("b"));
        var both = gate.enter(List.of("a", "b", "a"));
        assertThat(isFree(both)).isFalse();
        two.close();
        assertThat(isFree(both)).isFalse();
        one.close();
        assertThat(isFree(both)).isTrue();
        both.close();
        assertThat(gate.keysOut()).isZero();
    }

    @Test
    void whoGivesUpLetsNobodyPassThoseWhomItWaitedFor() throws Exception {
        var first = gate.enter(List.of("a"));
        var second = gate.enter(List.of("a"));
        var third = gate.enter(List.of("a"));
        second.close();
        second.close();
        assertThat(isFree(third)).isFalse();
        var fourth = gate.enter(List.of("a"));
        first.close();
        assertThat(isFree(third)).isTrue();
        assertThat(isFree(fourth)).isFalse();
        third.close();
        assertThat(isFree(fourth)).isTrue();
        fourth.close();
        assertThat(gate.keysOut()).isZero();
    }
}
