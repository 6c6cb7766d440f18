package dev.penstock.lab.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AnnouncedLimitTest {
    private static AnnouncedLimit said(String name, String value) {
        return new AnnouncedLimit(name, value, "so it is");
    }

    @Test
    void leavesATenthAndWhatIsInUseToOthers() {
        List<AnnouncedLimit> all = List.of(said("max_connections", "100"), said("connections in use", "60"));
        assertThat(AnnouncedLimit.connections(all)).isEqualTo(90);
        assertThat(AnnouncedLimit.free(all)).isEqualTo(30);
    }

    @Test
    void nothingIsFreeWhereAllAreInUse() {
        assertThat(AnnouncedLimit.free(List.of(said("max_connections", "20"), said("connections in use", "19"))))
                .isZero();
    }

    @Test
    void noBoundWhereNoneIsSaid() {
        assertThat(AnnouncedLimit.connections(List.of())).isEqualTo(Integer.MAX_VALUE);
        assertThat(AnnouncedLimit.free(List.of(said("max_connections", "many"), said("connections in use", "60"))))
                .isEqualTo(Integer.MAX_VALUE);
    }
}
