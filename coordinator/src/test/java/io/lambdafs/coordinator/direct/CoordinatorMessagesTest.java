package io.lambdafs.coordinator.direct;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.coordinator.Invalidation;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Scope;
import io.lambdafs.rpc.message.Codec;
import java.util.List;
import org.junit.jupiter.api.Test;

class CoordinatorMessagesTest {
    private static final List<FsPath> PATHS = List.of(FsPath.of("/a"));

    @Test
    void shouldLookOutForTheAnswerUnlessOperationsHaveToEndFirst() {
        Codec codec = CoordinatorMessages.register(Codec.builder()).build();
        Scope scope = new Scope(PATHS, PATHS);
        assertThat(codec.isAnsweredAtOnce(new Invalidation(1, scope, List.of())))
                .isTrue();
        assertThat(codec.isAnsweredAtOnce(new Invalidation(1, scope, PATHS))).isFalse();
    }
}
