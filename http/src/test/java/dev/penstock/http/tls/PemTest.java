package dev.penstock.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class PemTest {
    private static final Path FILE = Path.of("bundle.pem");
    private static final byte[] ONE = "the first".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TWO = new byte[100];
    private static final String FIRST = TestAuthority.pem("CERTIFICATE", ONE);
    private static final String SECOND = TestAuthority.pem("PRIVATE KEY", TWO);

    @Test
    void blocksComeInTheirOrderWithTextAroundThemLeftOut() {
        List<Pem.Block> blocks =
                blocks("subject=CN = x\n\n" + FIRST + "# a comment - with dashes -\n" + SECOND + "end\n");
        assertThat(blocks).extracting(Pem.Block::label).containsExactly("CERTIFICATE", "PRIVATE KEY");
        assertThat(blocks.get(0).bytes()).isEqualTo(ONE);
        assertThat(blocks.get(1).bytes()).isEqualTo(TWO);
    }

    @Test
    void linesMayEndAsOnOtherSystems() {
        assertThat(blocks((FIRST + SECOND).replace("\n", "\r\n"))).hasSize(2);
        assertThat(blocks((FIRST + SECOND).replace("\n", "\r\n")).get(1).bytes())
                .isEqualTo(TWO);
    }

    /** However far a writer has come: blocks that are there are whole, and a begun one is noticed. */
    @Test
    void noCutLeavesAPartOfABlock() {
        String whole = FIRST + SECOND;
        for (int length = 0; length <= whole.length(); length++) {
            String written = whole.substring(0, length);
            if (isWhole(written)) {
                assertThat(blocks(written))
                        .allSatisfy(block -> assertThat(block.bytes())
                                .isEqualTo(block.label().equals("CERTIFICATE") ? ONE : TWO));
            } else {
                assertThatThrownBy(() -> blocks(written))
                        .as("cut after %d", length)
                        .isInstanceOf(FileProblem.class)
                        .hasMessageContaining("bundle.pem ends within a PEM block");
            }
        }
    }

    private static boolean isWhole(String written) {
        return List.of("", FIRST.stripTrailing(), FIRST, FIRST + SECOND.stripTrailing(), FIRST + SECOND)
                .contains(written);
    }

    @Test
    void aBlockThatBeginsWithinAnotherIsNotTakenForIt() {
        String torn = FIRST.substring(0, FIRST.indexOf("-----END")) + FIRST;
        assertThatThrownBy(() -> blocks(torn).getFirst().bytes())
                .isInstanceOf(FileProblem.class)
                .hasMessageContaining("damaged CERTIFICATE block");
    }

    @Test
    void whatIsNoBase64IsDamagedAndNotShown() {
        String bad = "-----BEGIN PRIVATE KEY-----\nc2VjcmV0!!\n-----END PRIVATE KEY-----\n";
        assertThatThrownBy(() -> blocks(bad).getFirst().bytes())
                .isInstanceOf(FileProblem.class)
                .hasMessage("bundle.pem contains a damaged PRIVATE KEY block (invalid base64): write the file again")
                .hasNoCause();
        assertThat(blocks(bad).getFirst().toString()).doesNotContain("c2VjcmV0");
    }

    private static List<Pem.Block> blocks(String text) {
        return Pem.blocks(FILE, text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
