package io.lambdafs.rpc.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ByteProofTest {
    private final Secret secret = Secret.generate();
    private final ByteProof dials = new ByteProof(secret, "keeper 1");
    private final ByteProof accepts = new ByteProof(secret, "keeper 1");

    @Test
    void shouldProveBothEndsToEachOther() {
        byte[] hello = dials.hello();
        byte[] reply = accepts.reply(hello);
        byte[] answer = dials.answer(reply);

        assertThat(hello).hasSize(ByteProof.HELLO_BYTES);
        assertThat(reply).hasSize(ByteProof.REPLY_BYTES);
        assertThat(answer).hasSize(ByteProof.ANSWER_BYTES);
        assertThat(accepts.isGood(answer)).isTrue();
    }

    @Test
    void shouldBelieveNothingThatIsOfAnotherSecretServiceOrConnection() {
        byte[] hello = dials.hello();

        assertThat(dials.answer(new ByteProof(Secret.generate(), "keeper 1").reply(hello)))
                .isNull();
        assertThat(dials.answer(new ByteProof(secret, "keeper 2").reply(hello))).isNull();
        assertThat(dials.answer(accepts.reply(new ByteProof(secret, "keeper 1").hello())))
                .as("the reply to another connection")
                .isNull();
        byte[] answer = dials.answer(accepts.reply(hello));
        ByteProof later = new ByteProof(secret, "keeper 1");
        later.reply(hello);
        assertThat(later.isGood(answer)).as("the answer on another connection").isFalse();
    }

    @Test
    void shouldNotTakeTheListenersOwnProofForTheDiallers() {
        byte[] reply = accepts.reply(dials.hello());

        assertThat(accepts.isGood(Arrays.copyOfRange(reply, ByteProof.HELLO_BYTES, reply.length)))
                .isFalse();
        assertThat(accepts.isGood(new byte[0])).isFalse();
    }

    @Test
    void shouldBeginEachConnectionAnew() {
        assertThat(dials.hello()).isNotEqualTo(accepts.hello());
    }

    @Test
    void shouldSayWhoHasNotProvedItself() {
        assertThat(dials.unproved("host:2181"))
                .contains("host:2181", "has not proved to be keeper 1", "the same secret file");
    }
}
