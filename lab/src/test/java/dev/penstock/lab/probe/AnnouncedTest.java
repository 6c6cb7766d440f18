package dev.penstock.lab.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AnnouncedTest {
    private static Announced said(String name, String value) {
        return new Announced(name, value, "so it is");
    }

    @Test
    void leavesATenthAndWhatIsInUseToOthers() {
        List<Announced> all = List.of(said("max_connections", "100"), said("connections in use", "60"));
        assertThat(Announced.connections(all)).isEqualTo(90);
        assertThat(Announced.free(all)).isEqualTo(30);
    }

    @Test
    void nothingIsFreeWhereAllAreInUse() {
        assertThat(Announced.free(List.of(said("max_connections", "20"), said("connections in use", "19"))))
                .isZero();
    }

    @Test
    void noBoundWhereNoneIsSaid() {
        assertThat(Announced.connections(List.of())).isEqualTo(Integer.MAX_VALUE);
        assertThat(Announced.free(List.of(said("max_connections", "many"), said("connections in use", "60"))))
                .isEqualTo(Integer.MAX_VALUE);
    }
}
