package io.lambdafs.rpc.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.rpc.TransportContract;
import io.lambdafs.rpc.TransportFaultsContract;
import io.lambdafs.rpc.TransportFramesContract;
import io.lambdafs.rpc.TransportUnderTest;
import io.lambdafs.rpc.tls.TestAuthority;
import io.netty.channel.epoll.Epoll;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

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

        @Override
        protected boolean putsInPlace() {
            return true;
        }
    }

    @Nested
    @Tag("once")
    class WithTls extends TransportContract {
        private final TransportUnderTest netty;

        WithTls(@TempDir Path folder) throws Exception {
            netty = new NettyUnderTest(true, new TestAuthority(folder).service("localhost", "127.0.0.1"));
        }

        @Override
        protected TransportUnderTest underTest() {
            return netty;
        }
    }

    @Nested
    @Tag("once")
    class AtADistance extends TransportContract {
        private final TransportUnderTest netty = new NettyUnderTest(true, Duration.ofMillis(2));

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

        @Override
        protected boolean putsInPlace() {
            return true;
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
    @Tag("once")
    class Frames extends TransportFramesContract {
        private final TransportUnderTest netty = new NettyUnderTest(true);

        @Override
        protected TransportUnderTest underTest() {
            return netty;
        }
    }
}
