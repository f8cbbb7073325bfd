package io.lambdafs.cluster.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.sql.SqlStore;
import org.junit.jupiter.api.Test;

class SchemaTextTest {
    @Test
    void shouldEndEachStatement() {
        String text = SchemaText.of("postgres");
        assertThat(text).endsWith(";").contains(";\n");
        assertThat(SqlStore.schema())
                .isNotEmpty()
                .allSatisfy(each -> assertThat(text).contains(each + ";"));
    }

    @Test
    void shouldRefuseWhatIsNoSqlStore() {
        assertThatThrownBy(() -> SchemaText.of("embedded"))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
                .hasMessageEndingWith("not embedded");
    }
}
