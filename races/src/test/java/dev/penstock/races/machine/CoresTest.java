package dev.penstock.races.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CoresTest {
    @Test
    void readsTheCoresOfAProcess() {
        assertThat(Cores.read("\t0-1")).containsExactly(0, 1);
        assertThat(Cores.read("0,2-4, 7".replace(" ", ""))).containsExactly(0, 2, 3, 4, 7);
        assertThat(Cores.read("3")).containsExactly(3);
    }
}
