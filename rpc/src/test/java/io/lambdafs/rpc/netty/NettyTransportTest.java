package io.lambdafs.rpc.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.rpc.TransportContract;
import io.lambdafs.rpc.TransportFaultsContract;
import io.lambdafs.rpc.TransportFramesContract;
import io.lambdafs.rpc.TransportUnderTest;
import io.netty.channel.epoll.Epoll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The contract on epoll and on NIO. */
class NettyTransportTest {
    @Test
    @EnabledOnOs(
            value = OS.LINUX,
            architectures = {"amd64", "aarch64"})
    void shouldFindEpoll() {
        assertThat(Epoll.isAvailable()).isTrue();
    }

    @Nested
    class OnEpoll extends TransportContract {
        private final TransportUnderTest netty = new NettyUnderTest(true);

        @Override
        protected TransportUnderTest underTest() {
            return netty;
        }
    }

    @Nested
    class OnNio extends TransportContract {
        private final TransportUnderTest netty = new NettyUnderTest(false);

        @Override
        protected TransportUnderTest underTest() {
            return netty;
        }
    }

    @Nested
    class FaultsOnEpoll extends TransportFaultsContract {
        private final TransportUnderTest netty = new NettyUnderTest(true);

        @Override
        protected TransportUnderTest underTest() {
            return netty;
        }
    }

    @Nested
    class FaultsOnNio extends TransportFaultsContract {
        private final TransportUnderTest netty = new NettyUnderTest(false);

        @Override
        protected TransportUnderTest underTest() {
            return netty;
        }
    }

    @Nested
    class Frames extends TransportFramesContract {
        private final TransportUnderTest netty = new NettyUnderTest(true);

        @Override
        protected TransportUnderTest underTest() {
            return netty;
        }
    }
}
