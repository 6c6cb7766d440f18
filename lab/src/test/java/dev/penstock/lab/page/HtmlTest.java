package dev.penstock.lab.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class HtmlTest {
    @Test
    void elementsCloseInTheOrderInWhichTheyOpened() {
        Html html = new Html();
        html.open("p", "class", "a", "id", null).text("x ").element("b", "y").close();
        html.shape("line", "x1", "0");

        assertThat(html).hasToString("<p class=\"a\">x <b>y</b></p><line x1=\"0\"/>");
    }

    @Test
    void whatUsersGiveStaysText() {
        assertThat(new Html().element("i", "</script><!--'\"&", "title", "\"><b>"))
                .hasToString("<i title=\"&quot;&gt;&lt;b&gt;\">&lt;/script&gt;&lt;!--&#39;&quot;&amp;</i>");
    }

    @Test
    void whatNoDocumentMayHoldAndWhatTurnsTextAroundIsReplaced() {
        assertThat(new Html().text("a\u0000b\u001b[31m\u202ec\u2066\n\td"))
                .hasToString("a\uFFFDb\uFFFD[31m\uFFFDc\uFFFD\n\td");
    }

    @Property
    void noTextOpensAnything(@ForAll String text) {
        assertThat(new Html().text(text).toString()).doesNotContain("<", ">", "\"", "'");
    }

    @Test
    void attributesComeInPairs() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Html().open("p", "class"))
                .withMessageContaining("not name-value pairs");
    }
}
