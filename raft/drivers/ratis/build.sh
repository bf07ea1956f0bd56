# Gets a version of Ratis from its registry, and compiles the driver: build.sh VERSION OUT.
set -e
cd "$(dirname "$0")"
mvn -q -B dependency:copy-dependencies -Dratis="$1" -DoutputDirectory="$2/lib"
javac -nowarn -Xlint:none -cp "$2/lib/*" -d "$2/classes" ../../../checker/conform/drivers/java/multigrain/*.java $(find org -name '*.java')
