package dev.penstock.gateway.callers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.file.Written;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code from.http.auth} and {@code callers} in flow files: what is wrong, and what to do. */
class AuthConfigTest {
    private static final String HASH = "0".repeat(64);

    @TempDir
    Path folder;

    private Written written;

    @BeforeEach
    void open() throws IOException {
        written = new Written(folder);
        write("empty.txt", "");
    }

    private void write(String name, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    }

    private static String flow(String auth) {
        return """
                flows:
                  payments:
                    from: { http: { port: 8080, path: /pay, auth: { %s } } }
                    to: { http: { url: "https://gateway.example/v1" } }
                """.formatted(auth);
    }

    @Test
    void aFileThatCannotBeUsedIsAnErrorWithARemedy() throws Exception {
        Path open = Files.writeString(folder.resolve("open.txt"), "");
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
        write("wrong.txt", "\n# a comment\nshop 12\n");
        write("range.txt", "shop " + HASH + " rate=0/s\n");
        write("word.txt", "shop " + HASH + " quota=1\n");
        write("twice.txt", "shop " + HASH + "\nshop " + HASH + "\n");
        assertThat(written.errors(flow("api_keys: { file: none.txt }")))
                .singleElement()
                .asString()
                .endsWith(
                        "'from.http.auth.api_keys.file' is \"none.txt\", which does not exist; check the path, or make its"
                                + " lines with penstock key new NAME");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(written.errors(flow("api_keys: { file: open.txt }")))
                .singleElement()
                .asString()
                .contains("\"open.txt\", which other users can read; chmod 600 " + open);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        assertThat(written.errors(flow("api_keys: { file: wrong.txt }")))
                .singleElement()
                .asString()
                .contains("in line 3 has no caller; write NAME HASH as penstock key new NAME prints them");
        assertThat(written.errors(flow("api_keys: { file: range.txt }")).toString())
                .contains("in line 1 has too low a rate; write 0.01/s or more");
        assertThat(written.errors(flow("api_keys: { file: word.txt }")).toString())
                .contains("in line 1 has an unknown limit; write for instance rate=100/s");
        assertThat(written.errors(flow("api_keys: { file: twice.txt }")).toString())
                .contains("in line 2 has the caller shop a second time; remove one of the lines");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "api_keys: {}| api_keys has no 'file'; add for instance file: keys.txt",
                "header: X-Caller| 'from.http.auth' accepts nobody; add for instance api_keys: { file: keys.txt }",
                "mtls: { name: dn }| 'from.http.auth.mtls.name' is \"dn\", which is none of its values; write subject-cn or san",
                "mtls: { name: san }| has mtls, but its callers present no certificate; add tls: { certificate: server.pem, key: server.key, client_ca: clients.pem }",
                "jwt: { issuer: i, audience: a }| needs either 'jwks' or 'key'",
                "jwt: { issuer: i, audience: a, jwks: \"http://id.example/jwks\" }| which is no https URL",
                "jwt: { issuer: i, audience: a, jwks: empty.txt }| which is neither a JWK set nor a public key in PEM; check its path",
                "jwt: { issuer: i, audience: a, jwks: \"https://[\" }| is not a URL; write for instance https://",
                "jwt: { audience: a, jwks: \"https://id.example/jwks\" }| jwt has no 'issuer'; add for instance issuer:",
            })
    void whatIsMissingIsAnErrorWithARemedy(String auth, String error) {
        assertThat(written.errors(flow(auth)).toString()).contains(error.strip());
    }

    @Test
    void anEditedFileIsValid() throws Exception {
        assertThat(written.read(flow("api_keys: { file: empty.txt },"
                                + " jwt: { issuer: i, audience: a, jwks: \"https://id.example/jwks\" }"))
                        .warnings())
                .isEmpty();
    }

    @Test
    void sharesFitTogether() {
        assertThat(written.errorsWith("callers: { burst: 2 }"))
                .singleElement()
                .asString()
                .contains("'callers.burst' is given without 'rate'; add for instance rate: 100/s");
        assertThat(written.errors("""
                flows:
                  front:
                    from: { http: { port: 8080, path: /pay } }
                    to: { flow: inner }
                  inner:
                    to: { http: { url: "https://gateway.example/v1" } }
                    callers: { concurrency: 2 }
                """))
                .singleElement()
                .asString()
                .contains("'callers' of flow 'inner' limits callers over HTTP");
    }
}
