package shell

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/viper"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

// UsageError is wrong usage of the command line or of the user's settings.
type UsageError struct {
	Code            configs.Code
	Summary, Detail string
}

func (e *UsageError) Error() string { return e.Summary + ": " + e.Detail }

// Settings are the values that a user sets once for all runs. Values of a model belong in its
// manifest.
type Settings struct {
	Workers int    // 0: one for each processor
	Memory  int64  // bytes; 0: no limit
	Color   string // auto, always or never
	Cache   string // folder for assembled programs and analyses
}

// settingKeys are the settings with the environment variables that override the file.
var settingKeys = map[string]string{
	"workers": "MULTIGRAIN_WORKERS",
	"memory":  "MULTIGRAIN_MEMORY",
	"color":   "MULTIGRAIN_COLOR",
	"cache":   "MULTIGRAIN_CACHE",
}

// LoadSettings reads the user's settings: the environment over the file that MULTIGRAIN_CONFIG
// names, or else over multigrain/config.yaml, .toml or .json in the user's configuration folder,
// over defaults. That a file in that folder is missing is no error.
func LoadSettings(environ []string) (Settings, error) {
	v := viper.New()
	v.SetDefault("color", "auto")
	if err := readSettings(v, Lookup(environ, "MULTIGRAIN_CONFIG")); err != nil {
		return Settings{}, err
	}
	for _, key := range v.AllKeys() {
		if settingKeys[key] == "" {
			names := make([]string, 0, len(settingKeys))
			for name := range settingKeys {
				names = append(names, name)
			}
			slices.Sort(names)
			return Settings{}, badSetting("%s has no setting %q.%s Constants of a model belong in its manifest.",
				v.ConfigFileUsed(), key, configs.Hint(key, names))
		}
	}
	for key, name := range settingKeys {
		if value := Lookup(environ, name); value != "" {
			v.Set(key, value)
		}
	}
	if Lookup(environ, "NO_COLOR") != "" {
		v.Set("color", "never")
	}
	return decodeSettings(v)
}

// readSettings reads the settings file, if there is one.
func readSettings(v *viper.Viper, named string) error {
	if named != "" {
		v.SetConfigFile(named)
	} else {
		folder, err := os.UserConfigDir()
		if err != nil {
			return nil // a user without a home has no settings
		}
		v.SetConfigName("config")
		v.AddConfigPath(filepath.Join(folder, "multigrain"))
	}
	err := v.ReadInConfig()
	var missing viper.ConfigFileNotFoundError
	var pathErr *fs.PathError
	switch {
	case err == nil || errors.As(err, &missing):
		return nil
	case errors.As(err, &pathErr):
		return badSetting("The settings file %s cannot be read: %v.", pathErr.Path, pathErr.Err)
	}
	return badSetting("The settings file %s cannot be read: %v.", v.ConfigFileUsed(), err)
}

func decodeSettings(v *viper.Viper) (s Settings, err error) {
	wrong := func(key, want string) error {
		return badSetting("The setting %s is %q. It must be %s. It comes from %s or from the environment variable %s.",
			key, v.GetString(key), want, cmp.Or(v.ConfigFileUsed(), "the settings file"), settingKeys[key])
	}
	if v.IsSet("workers") {
		if s.Workers, err = strconv.Atoi(v.GetString("workers")); err != nil || s.Workers < 0 {
			return s, wrong("workers", "a number, 0 for one worker for each processor")
		}
	}
	if v.IsSet("memory") {
		if s.Memory, err = words.ParseSize(v.GetString("memory")); err != nil {
			return s, wrong("memory", "a size, such as 12GiB")
		}
	}
	s.Color = strings.ToLower(v.GetString("color"))
	if !slices.Contains([]string{"auto", "always", "never"}, s.Color) {
		return s, wrong("color", "auto, always or never")
	}
	if s.Cache = v.GetString("cache"); s.Cache == "" {
		s.Cache = DefaultCache()
	}
	s.Cache, err = filepath.Abs(s.Cache)
	return s, err
}

// DefaultCache returns the folder of the user's caches, or one of the system's temporary folder
// where the user has none. Somebody else can make the latter first: package private refuses it
// then.
func DefaultCache() string {
	folder, err := os.UserCacheDir()
	if err != nil {
		return filepath.Join(os.TempDir(), "multigrain-"+strconv.Itoa(os.Getuid()))
	}
	return filepath.Join(folder, "multigrain")
}

// badSetting is wrong usage: whole sentences for the user.
func badSetting(format string, args ...any) error {
	return &UsageError{codes.Settings, "Invalid user settings", fmt.Sprintf(format, args...)}
}

// Lookup returns the value of an environment variable, "" where it is not set.
func Lookup(environ []string, name string) string {
	for _, pair := range slices.Backward(environ) {
		if value, ok := strings.CutPrefix(pair, name+"="); ok {
			return value
		}
	}
	return ""
}

// WrongUsage returns a UsageError. Summary names the kind of mistake, detail is whole sentences.
func WrongUsage(code configs.Code, summary, detail string) error {
	return &UsageError{Code: code, Summary: summary, Detail: detail}
}
