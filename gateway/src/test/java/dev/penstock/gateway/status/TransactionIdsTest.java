package dev.penstock.gateway.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TransactionIdsTest {
    @Test
    void areUuidsOfVersion7SortedByTime() {
        TransactionIds ids = new TransactionIds(new Random(1));
        String before = "";
        for (long millis = 1_760_000_000_000L; millis < 1_760_000_001_000L; millis++) {
            String id = ids.next(millis);
            assertThat(TransactionIds.isValid(id)).isTrue();
            assertThat(UUID.fromString(id).version()).isEqualTo(7);
            assertThat(UUID.fromString(id).variant()).isEqualTo(2);
            assertThat(id).isGreaterThan(before);
            before = id;
        }
    }

    @Test
    void idsOfOneMillisecondDiffer() {
        TransactionIds ids = new TransactionIds();
        Set<String> all = new HashSet<>();
        Set<Long> owners = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            String id = ids.next(1);
            all.add(id);
            owners.add(TransactionIds.owner(id));
        }
        assertThat(all).hasSize(10_000);
        assertThat(owners).hasSize(10_000);
    }

    @Test
    void rejectsOtherTextsAsIds() {
        assertThat(TransactionIds.isValid("")).isFalse();
        assertThat(TransactionIds.isValid("../etc")).isFalse();
        assertThat(TransactionIds.isValid(UUID.randomUUID().toString())).isFalse();
    }
}
