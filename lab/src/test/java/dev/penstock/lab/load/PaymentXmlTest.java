package dev.penstock.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.load.PaymentXml.Payment;
import java.io.StringReader;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class PaymentXmlTest {
    private final PaymentXml payments = new PaymentXml(1);

    @Test
    void theSameSeedAndNumberMakeTheSameTransaction() {
        assertThat(new PaymentXml(1).apply(17)).isEqualTo(payments.apply(17));
        assertThat(new PaymentXml(2).apply(17).xml())
                .isNotEqualTo(payments.apply(17).xml());
        assertThat(payments.apply(18).xml()).isNotEqualTo(payments.apply(17).xml());
    }

    @Test
    void noTwoTransactionsShareAnId() {
        assertThat(LongStream.range(0, 100_000)
                        .mapToObj(number -> payments.apply(number).id())
                        .collect(Collectors.toSet()))
                .hasSize(100_000);
        assertThat(new PaymentXml(2).apply(0).id())
                .isNotEqualTo(payments.apply(0).id());
    }

    @Test
    void aTransactionIsAboutTwoKilobytes() {
        assertThat(LongStream.range(0, 1_000)
                        .map(number -> payments.apply(number).xml().length()))
                .allMatch(length -> length > 1_950 && length < 2_150);
    }

    @Test
    void itIsXmlWithItsOwnIdAndARandomMerchant() throws Exception {
        Payment payment = payments.apply(3);
        Document document = DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(payment.xml())));

        assertThat(document.getElementsByTagName("id").item(0).getTextContent()).isEqualTo(payment.id());
        assertThat(document.getElementsByTagName("amount").item(0).getTextContent())
                .matches("\\d+\\.\\d\\d");
        assertThat(LongStream.range(0, 1_000)
                        .mapToObj(
                                number -> payments.apply(number).xml().replaceAll("(?s).*<merchant>|</merchant>.*", ""))
                        .distinct())
                .hasSizeGreaterThan(990);
    }
}
