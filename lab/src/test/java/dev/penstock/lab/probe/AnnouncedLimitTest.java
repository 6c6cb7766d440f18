package dev.penstock.lab.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AnnouncedLimitTest {
    private static AnnouncedLimit said(String name, String value) {
        return new AnnouncedLimit(name, value, "so it is");
    }

    @Test
    void leavesOneInTwentyAndWhatIsInUseOrReservedToOthers() {
        assertThat(AnnouncedLimit.connections(List.of(said("max_connections", "100"))))
                .isEqualTo(95);
        // Of the four in use, one is the probe's own.
        assertThat(AnnouncedLimit.connections(List.of(
                        said("max_connections", "12"),
                        said("superuser_reserved_connections", "3"),
                        said("connections in use", "4"))))
                .isEqualTo(6);
    }

    @Test
    void whatIsLeftToOthersCostsLittleAtAnySize() {
        for (int left = 1; left <= 1_000; left++) {
            assertThat(AnnouncedLimit.connections(List.of(said("max_connections", String.valueOf(left)))))
                    .isBetween((int) Math.ceil(0.95 * left), left);
        }
    }

    @Test
    void theUserAndTheDatabaseMayHaveFewer() {
        AnnouncedLimit all = said("max_connections", "100");
        AnnouncedLimit user = said("connection limit of the user", "11");
        AnnouncedLimit database = said("connection limit of the database", "31");
        assertThat(AnnouncedLimit.connections(List.of(all, user, database))).isEqualTo(11);
        assertThat(AnnouncedLimit.connections(
                        List.of(all, user, database, said("connections of the user in use", "5"))))
                .isEqualTo(7);
        assertThat(AnnouncedLimit.connections(List.of(database, said("connections of the database in use", "21"))))
                .isEqualTo(11);
        assertThat(AnnouncedLimit.connections(List.of(said("max_connections", "5"), user)))
                .isEqualTo(5);
    }

    @Test
    void oneIsLeftWhereAllAreInUse() {
        assertThat(AnnouncedLimit.connections(List.of(said("max_connections", "20"), said("connections in use", "20"))))
                .isOne();
    }

    @Test
    void noBoundWhereNoneIsSaid() {
        assertThat(AnnouncedLimit.connections(List.of())).isEqualTo(Integer.MAX_VALUE);
        assertThat(AnnouncedLimit.connections(
                        List.of(said("max_connections", "many"), said("connections in use", "60"))))
                .isEqualTo(Integer.MAX_VALUE);
    }
}
