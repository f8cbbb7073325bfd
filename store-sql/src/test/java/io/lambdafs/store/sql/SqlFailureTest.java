package io.lambdafs.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.Disposition;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the SQLSTATEs of a database mean to those who wait for an answer. */
@Tag("once")
class SqlFailureTest {
    @ParameterizedTest
    @CsvSource({
        "40001, STORE_CONFLICT, RETRY, false",
        "40P01, STORE_CONFLICT, RETRY, false",
        "55P03, STORE_CONFLICT, RETRY, false",
        "57014, UNAVAILABLE, RETRY, false",
        "53300, UNAVAILABLE, RETRY, true",
        "53400, UNAVAILABLE, RETRY, false",
        "57P01, UNAVAILABLE, RETRY, true",
        "08006, UNAVAILABLE, RETRY, true",
        "28P01, UNAVAILABLE, RETRY, false",
        "53100, STORE_FULL, FINAL, false",
        "53200, STORE_FULL, FINAL, false",
        "54000, INVALID_ARGUMENT, FINAL, false",
        "22003, INTERNAL, FINAL, false"
    })
    void shouldLetRepeatWhatTheDatabaseRefusedForTheMoment(
            String state, ErrorCode code, Disposition disposition, boolean connection) {
        SQLException e = new SQLException("no", state);
        FsException failure = SqlFailure.of("the store cannot write", e);
        assertThat(failure.code()).isEqualTo(code);
        assertThat(failure.code().disposition()).isEqualTo(disposition);
        assertThat(failure).hasMessageContaining("cannot write: no").hasCause(e);
        assertThat(SqlFailure.isConnection(e)).isEqualTo(connection);
    }
}
