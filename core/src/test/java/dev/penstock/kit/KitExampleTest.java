package dev.penstock.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Retry;
import dev.penstock.Unknown;
import dev.penstock.flow.Flow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example of docs/embed.md is this code, word for word. */
@Timeout(60)
class KitExampleTest {
    private static final Path PAGE = Path.of("..", "docs", "embed.md");
    private static final Path HERE = Path.of("src", "test", "java", "dev", "penstock", "kit", "KitExampleTest.java");
    private static final String BEGIN = "// begin of the example\n";
    private static final String END = "// end of the example\n";

    @Test
    void aRepeatComesWhenTheClockMoves() throws Exception {
        // begin of the example
        ManualTicker ticker = new ManualTicker();
        ScriptedService<String, String> target = ScriptedService.<String, String>on(ticker)
                .fails(new Unknown(Unknown.Cause.CLOSED, "lost"))
                .answers("yes");
        Flow<String, String> flow = Flow.named("payments")
                .ticker(ticker)
                .retry(Retry.byKey((String id) -> id))
                .to(target);
        FutureTask<String> answer = new FutureTask<>(() -> flow.call("order-1"));
        Thread.startVirtualThread(answer); // not on the thread of the test, which has to move the clock
        ticker.awaitParked(1); // the first attempt is lost; the flow waits for its next one
        ticker.advance(Duration.ofSeconds(1)); // longer than the longest wait before a first repeat
        assertThat(answer.get()).isEqualTo("yes");
        assertThat(target.received()).containsExactly("order-1", "order-1");
        LeakCheck.assertNothingHeld(flow);
        // end of the example
    }

    @Test
    void thePageShowsIt() throws IOException {
        String source = Files.readString(HERE);
        String example = source.substring(source.indexOf(BEGIN) + BEGIN.length(), source.lastIndexOf(END))
                .stripIndent();
        assertThat(Files.readString(PAGE)).contains("```java\n" + example.stripTrailing() + "\n```\n");
    }
}
