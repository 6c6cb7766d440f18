package dev.penstock.gateway.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Errors of {@code to.flow}, and of flows without a source. */
class ChainedFlowsTest {
    @TempDir
    Path folder;

    private Written written() {
        return new Written(folder);
    }

    @Test
    void acceptsAFlowWithoutSourceThatAnotherCalls() throws Exception {
        assertThat(written().read("""
                flows:
                  a:
                    from: { http: { port: 8080, path: / } }
                    to: { flow: b }
                  b:
                    to: { replace: { find: a, with: b } }
                """).config().flows())
                .extracting(flow -> flow.to().toString())
                .containsExactly("flow b", "replace");
    }

    @Test
    void reportsAFlowWithoutSourceThatNobodyCalls() {
        assertThat(written().errors("""
                flows:
                  b:
                    to: { replace: { find: a, with: b } }
                """))
                .containsExactly(
                        "f.yaml:2:3: flow 'b' has no 'from'; add for instance from: { http: { port: 8080, path: /v1/payments } }");
    }

    @Test
    void reportsAFlowThatDoesNotExist() {
        assertThat(written().errors("""
                flows:
                  a:
                    from: { http: { port: 8080, path: / } }
                    to: { flow: c }
                """))
                .containsExactly("f.yaml:4:17: 'to.flow' is c, which is not a flow of this file; flows: a");
    }

    @Test
    void reportsACircle() {
        assertThat(written().errors("""
                flows:
                  a:
                    from: { http: { port: 8080, path: / } }
                    to: { flow: b }
                  b:
                    to: { flow: a }
                """))
                .containsExactly(
                        "f.yaml:4:17: flow 'a' calls itself, through 'b'; flows must not form a circle",
                        "f.yaml:6:17: flow 'b' calls itself, through 'a'; flows must not form a circle");
    }
}
