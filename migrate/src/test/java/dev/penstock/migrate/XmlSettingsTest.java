package dev.penstock.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.FileLocation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class XmlSettingsTest {
    private final ConfigProblems problems = new ConfigProblems();

    @Test
    void eachAttributeHasItsLine() {
        assertThat(XmlSettings.parse(
                        "<a>\r\n<!-- <b c='0'> -->\t<b d='c=\"9\"'\r\n  c = \"1&amp;2\"/><b/></a>", problems))
                .containsExactly(
                        new PropertyLine("b.d", "c=\"9\"", new FileLocation(2, 23)),
                        new PropertyLine("b.c", "1&2", new FileLocation(3, 3)));
        assertThat(problems.count()).isZero();
    }

    @Test
    void propertyIsAttributeOrText() {
        assertThat(XmlSettings.parse(
                        "<hibernate-configuration><property name='x.y'>\n 30 \n</property>\n<property name='hibernate.z' value=''/>"
                                + "</hibernate-configuration>",
                        problems))
                .containsExactly(
                        new PropertyLine("hibernate.x.y", "30", new FileLocation(1, 26)),
                        new PropertyLine("hibernate.z", "", new FileLocation(4, 1)));
    }

    /** Neither a local file nor a host is read, whichever way the file asks for it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!DOCTYPE a [<!ENTITY x SYSTEM 'SECRET'>]><a><property name='p'>&x;</property></a>",
                "<!DOCTYPE a [<!ENTITY % x SYSTEM 'SECRET'> %x;]><a><property name='p'>1</property></a>",
                "<!DOCTYPE a SYSTEM 'SECRET'><a><property name='p'>&x;</property></a>",
                "<a xmlns:xi='http://www.w3.org/2001/XInclude'><xi:include href='SECRET' parse='text'/></a>",
                "<!DOCTYPE a [<!ENTITY b 'bbbbbbbb'><!ENTITY c '&b;&b;&b;&b;&b;&b;'>]><a><property name='p'>&c;</property></a>"
            })
    void externalEntitiesAreNotRead(String text, @TempDir Path folder) throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "bbbbbbbb s3cr3t");
        List<PropertyLine> lines =
                XmlSettings.parse(text.replace("SECRET", secret.toUri().toString()), problems);
        assertThat(lines).allSatisfy(line -> assertThat(line.value()).doesNotContain("bbbb", "s3cr3t"));
    }

    @Test
    void brokenFileIsAnErrorWithItsLine() {
        XmlSettings.parse("<a>\n<b></a>", problems);
        assertThat(BadConfig.of(Path.of("f"), problems).lines())
                .singleElement()
                .asString()
                .startsWith("f:2:")
                .contains("invalid XML: ");
    }
}
