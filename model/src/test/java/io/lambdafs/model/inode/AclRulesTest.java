package io.lambdafs.model.inode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AclRulesTest {
    private static final FsPath PATH = FsPath.of("/d");

    private final INode plain = INode.directory(1, "d", 2, "owner", "staff", 01750, 0);

    private static INode changed(INode node, AclChange change, String entries) {
        return AclRules.change(node, PATH, change, AclEntry.parse(entries));
    }

    private static String shown(INode node) {
        Acl acl = node.traits().acl();
        return Integer.toOctalString(node.mode()) + " " + (acl == null ? "-" : acl);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "MODIFY | user:ann:rwx | 1770 user:ann:rwx,group::r-x",
                "MODIFY | group:g:-w- | 1770 group::r-x,group:g:-w-",
                "MODIFY | user:ann:rwx,mask::r-- | 1740 user:ann:rwx,group::r-x",
                "MODIFY | group::--- | 1700 -",
                "MODIFY | mask::rwx | 1770 group::r-x",
                "MODIFY | user::rwx,group::r-x,other::r-x,user::r-x | 1555 -",
                "MODIFY | user::rwx,group::r-x,other::r-x,user::r-x,user:u2:-wx,group::--- | 1735 user:u2:-wx,group::---",
                "MODIFY | default:user:ann:r-x | 1750 default:user::rwx,default:user:ann:r-x,default:group::r-x,default:mask::r-x,default:other::---",
                "SET | user::rw-,group::r--,other::r-- | 1644 -",
                "SET | user::rw-,user:ann:-wx,group::r--,other::r-- | 1674 user:ann:-wx,group::r--",
                "SET | default:user::r-- | 1750 default:user::r--,default:group::r-x,default:other::---",
                "REMOVE | user:nobody:--- | 1750 -"
            })
    void shouldChangeAPlainModeAsHdfsDoes(AclChange change, String entries, String after) {
        assertThat(shown(changed(plain, change, entries))).isEqualTo(after);
    }

    @Test
    void shouldKeepAMaskThatIsGivenUntilItsEntriesChange() {
        INode given = changed(plain, AclChange.MODIFY, "user:ann:rwx,group:g:r-x,mask::r--");
        INode other = changed(given, AclChange.MODIFY, "default:user:ann:rwx");
        assertThat(shown(other)).startsWith("1740 ");
        assertThat(shown(changed(given, AclChange.MODIFY, "other::r--"))).startsWith("1774 ");
        assertThat(shown(changed(given, AclChange.REMOVE, "user:ann:---"))).isEqualTo("1750 group::r-x,group:g:r-x");
        assertThat(shown(changed(given, AclChange.REMOVE_ALL, ""))).isEqualTo("1750 -");
        assertThat(shown(changed(other, AclChange.REMOVE_DEFAULT, ""))).isEqualTo(shown(given));
        assertThat(shown(changed(other, AclChange.SET, ""))).isEqualTo("1750 -");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SET | user:ann:rwx | are required",
                "SET | user::rwx,group::r-x,other::r-x,user:a:r--,user:a:r-- | multiple entries",
                "REMOVE | user::--- | are required"
            })
    void shouldRefuseWhatMakesNoAcl(AclChange change, String entries, String why) {
        assertThatThrownBy(() -> changed(plain, change, entries))
                .isInstanceOfSatisfying(
                        FsException.class, refused -> assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_ACL))
                .hasMessageContaining("Invalid ACL: ", why);
    }

    @Test
    void shouldRefuseMoreEntriesThanHdfsKeeps() {
        StringBuilder many = new StringBuilder("user:u0:r--");
        for (int i = 1; i < 29; i++) {
            many.append(",user:u").append(i).append(":r--");
        }
        INode full = changed(plain, AclChange.MODIFY, many.substring(0, many.lastIndexOf(",")));
        assertThat(AclEntry.parse(String.valueOf(full.traits().acl()))).hasSize(29);
        assertThatThrownBy(() -> changed(plain, AclChange.MODIFY, many.toString()))
                .hasMessageContaining("exceeds maximum of 32");
        for (String no : List.of("user:a:rw", "user:a:rwz", "user:a", "mask:a:r--", "who::r--", "user:a:b:r--", "")) {
            assertThatThrownBy(() -> AclEntry.parse(no + ",other::r--")).as(no).isInstanceOf(FsException.class);
        }
    }

    @ParameterizedTest
    @CsvSource({"ann,none,4", "bob,staff,5", "bob,g,2", "eve,none,1", "owner,none,7"})
    void shouldLetTheEntryDecideThatHdfsWouldAsk(String user, String group, int bits) {
        INode node =
                changed(plain, AclChange.SET, "user::rwx,user:ann:r--,group::r-x,group:g:-w-,mask::rwx,other::--x");
        Principal who = new Principal(user, List.of(group));
        for (int wanted = 0; wanted < 8; wanted++) {
            assertThat(AclRules.allows(who, node, wanted)).isEqualTo((bits & wanted) == wanted);
        }
        INode masked = changed(node, AclChange.MODIFY, "mask::---");
        boolean owns = user.equals("owner");
        assertThat(AclRules.allows(who, masked, 4)).isEqualTo(owns);
        assertThat(AclRules.allows(who, masked, 1)).isEqualTo(owns || user.equals("eve"));
    }
}
