package dev.penstock;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.kit.ManualTicker;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeadlineTest {
    private final ManualTicker ticker = new ManualTicker();

    @Test
    void thereIsNoneOutsideOfAnyCall() {
        assertThat(Deadline.current()).isNull();
    }

    @Test
    void whatIsCalledSeesTheTimeThatIsLeft() throws Exception {
        Deadline.in(ofSeconds(5), ticker).call(() -> {
            ticker.advance(ofSeconds(2));
            assertThat(left()).isEqualTo(ofSeconds(3));
            return "";
        });
        assertThat(Deadline.current()).isNull();
    }

    @Test
    void aLaterDeadlineInsideAnEarlierOneChangesNothing() throws Exception {
        Deadline.in(ofSeconds(5), ticker)
                .call(() -> Deadline.in(ofSeconds(9), ticker)
                        .call(() -> assertThat(left()).isEqualTo(ofSeconds(5))));
    }

    @Test
    void anEarlierDeadlineHoldsOnlyInside() throws Exception {
        Deadline.in(ofSeconds(5), ticker).call(() -> {
            Deadline.in(ofSeconds(1), ticker).call(() -> assertThat(left()).isEqualTo(ofSeconds(1)));
            return assertThat(left()).isEqualTo(ofSeconds(5));
        });
    }

    @Test
    void timeThatPassesBeforeTheInnerCallIsNotGivenBack() throws Exception {
        Deadline.in(ofSeconds(5), ticker).call(() -> {
            ticker.advance(ofSeconds(4));
            return Deadline.in(ofSeconds(9), ticker)
                    .call(() -> assertThat(left()).isEqualTo(ofSeconds(1)));
        });
    }

    @Test
    void aPassedDeadlineHasNegativeTimeLeft() throws Exception {
        Deadline.in(ofMillis(10), ticker).call(() -> {
            ticker.advance(ofMillis(15));
            return assertThat(left()).isEqualTo(ofMillis(-5));
        });
    }

    @Test
    void theThreadIsGivenBackItsOwnWhenTheWorkThrows() {
        assertThatThrownBy(() -> Deadline.in(ofSeconds(1), ticker).call(() -> {
                    throw new IOException("broken");
                }))
                .isInstanceOf(IOException.class);
        assertThat(Deadline.current()).isNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE - 5, Long.MIN_VALUE + 5, -5})
    void itHoldsWhereTheClockOverflows(long start) throws Exception {
        ManualTicker odd = new ManualTicker(start);
        Deadline.in(ofSeconds(5), odd).call(() -> {
            odd.advance(ofSeconds(2));
            return assertThat(left()).isEqualTo(ofSeconds(3));
        });
    }

    @Test
    void anEndlessTimeIsNoDeadline() throws Exception {
        Deadline.in(Duration.ofSeconds(Long.MAX_VALUE), ticker).call(() -> {
            assertThat(Deadline.current()).isNull();
            return "";
        });
    }

    private static Duration left() {
        return Objects.requireNonNull(Deadline.current()).left();
    }
}
