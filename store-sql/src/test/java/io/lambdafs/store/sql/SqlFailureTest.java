package io.lambdafs.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.Disposition;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the meaning of a database's SQLSTATEs. */
class SqlFailureTest {
    @ParameterizedTest
    @CsvSource({
        "40001, STORE_CONFLICT, RETRY, false, what else writes to these tables",
        "40P01, STORE_CONFLICT, RETRY, false, nothing was changed",
        "55P03, STORE_CONFLICT, RETRY, false, nothing was changed",
        "57014, UNAVAILABLE, RETRY, false, statement_timeout",
        "53300, UNAVAILABLE, RETRY, true, max_connections",
        "53400, UNAVAILABLE, RETRY, false, raise the limit",
        "57P01, UNAVAILABLE, RETRY, true, check that the database runs",
        "57P03, UNAVAILABLE, RETRY, true, check that the database runs",
        "08006, UNAVAILABLE, RETRY, true, check that the database runs",
        "25P03, UNAVAILABLE, RETRY, true, check that the database runs",
        "25006, UNAVAILABLE, RETRY, true, check that the database runs",
        "28P01, UNAVAILABLE, RETRY, false, password file",
        "3D000, UNAVAILABLE, RETRY, false, make the database",
        "42501, UNAVAILABLE, RETRY, false, the right to make and use tables in the schema lambdafs",
        "42P01, UNAVAILABLE, RETRY, false, the right to make and use tables in the schema lambdafs",
        "53100, STORE_FULL, FINAL, false, give the database room",
        "53200, STORE_FULL, FINAL, false, give the database room",
        "54000, INVALID_ARGUMENT, FINAL, false, cannot index so long a name",
        "22003, INTERNAL, FINAL, false, SQLSTATE 22003",
        ", INTERNAL, FINAL, false, SQLSTATE )"
    })
    void shouldLetRepeatWhatTheDatabaseRefusedForTheMoment(
            @Nullable String state, ErrorCode code, Disposition disposition, boolean connection, String advice) {
        SQLException e = new SQLException("no", state);
        FsException failure = SqlFailure.of("the store cannot write", e);
        assertThat(failure.code()).isEqualTo(code);
        assertThat(failure.code().disposition()).isEqualTo(disposition);
        assertThat(failure).hasMessageContainingAll("cannot write: no", advice).hasCause(e);
        assertThat(SqlFailure.isConnection(e)).isEqualTo(connection);
    }

    /** The driver and the pool say without a state that there is no connection. */
    @Test
    void shouldKnowAConnectionThatIsClosedOrCannotBeHad() {
        assertThat(SqlFailure.isConnection(new SQLException("This connection has been closed.")))
                .isTrue();
        assertThat(SqlFailure.isConnection(new SQLException("closed", "22003"))).isFalse();
        assertThat(SqlFailure.isConnection(new SQLException((String) null))).isFalse();
        SQLException none = new SQLTransientConnectionException("store-read - Connection is not available");
        assertThat(SqlFailure.isConnection(none)).isTrue();
        assertThat(SqlFailure.of("the store cannot read", none).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    }
}
