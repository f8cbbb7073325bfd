package io.lambdafs.hammer.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.junit.jupiter.api.Test;

class NewcomersTest {
    private final Newcomers newcomers = new Newcomers();
    private ArrayNode instances = JsonNodeFactory.instance.arrayNode();

    private NewcomersTest instance(String deployment, String id, long hits) {
        instances.addObject().put("deployment", deployment).put("id", id).put("cacheHits", hits);
        return this;
    }

    private void seen() {
        newcomers.saw(instances);
        instances = JsonNodeFactory.instance.arrayNode();
    }

    @Test
    void shouldCountThoseWhoJoinedOthers() {
        instance("n0", "a", 5).seen();
        instance("n0", "a", 50).instance("n0", "b", 0).instance("n1", "c", 9).seen();
        instance("n0", "a", 90).instance("n0", "b", 7).instance("n0", "d", 0).seen();
        instance("n0", "b", 30).instance("", "prewarmed", 0).seen();

        assertThat(newcomers.line())
                .isEqualTo(
                        "newcomers: 1 of 2 instances that joined others answered from their caches: 30 reads, 30 the median");
    }

    @Test
    void shouldNotTakeASuccessorForANewcomer() {
        instance("n0", "a", 5).seen();
        instance("n0", "b", 5).seen();

        assertThat(newcomers.line()).isEqualTo("newcomers: no deployment grew beyond one instance");
    }
}
