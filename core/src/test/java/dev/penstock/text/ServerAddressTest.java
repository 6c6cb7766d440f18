package dev.penstock.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerAddressTest {
    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://db.example/shop?ssl=true, '{server.address=db.example}'",
        "jdbc:mariadb://db.example:3306/shop, '{server.address=db.example, server.port=3306}'",
        "tcp://[::1]:61616, '{server.address=[::1], server.port=61616}'",
        "amqps://broker.example:5671, '{server.address=broker.example, server.port=5671}'"
    })
    void readsHostAndPort(String url, String attributes) {
        TreeMap<String, Object> described = new TreeMap<>();
        Objects.requireNonNull(ServerAddress.in(url)).describe(described::put);
        assertThat(described).hasToString(attributes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://a:5432,b:5432/shop",
                "jdbc:h2:mem:shop",
                "failover:(tcp://a:61616,tcp://b:61616)",
                "vm://0?a=b c",
                "a data source",
                ""
            })
    void aUrlWithoutOneServerNamesNone(String url) {
        assertThat(ServerAddress.in(url)).isNull();
    }
}
